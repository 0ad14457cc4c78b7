import { addDomain } from '@dmarc-ledger/ledger/for-web';
import { findReportAddresses } from '@dmarc-ledger/queries';
import { HttpProblem, isDomainName, normalizeDomain, printableText } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction, definePage } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { useEntered } from '../../page/frame.ts';
import { PostForm } from '../../views/post-form.tsx';

const PATH = '/domains/add';

/** The host of an address as a browser shows it, which is what some paste. */
const PASTED_URL = /^\s*https?:\/\/([^\s/?#:@]+)/i;

const SEPARATORS = /[\s,;]+/;
const MOST_AT_ONCE = 100;
const LONGEST_ENTRY = 30_000;
const LONGEST_SHOWN = 60;

/** How do I begin? */
export const addDomainPage = definePage({
  path: PATH,
  permission: 'add domains',
  query: z.object({ domain: filterShape.domain }),
  params: z.object({}),
  async load({ db, viewer: { orgId } }, { domain }) {
    const addresses = await findReportAddresses(db, orgId);
    return { title: 'Add a domain', body: <AddDomain domain={domain} addresses={addresses} /> };
  },
});

/**
 * Monitors a domain, or several; their first checks follow at once. Where one is no domain name, none is added, and all
 * stay in the form.
 */
export const addDomainAction = defineAction({
  path: PATH,
  right: 'add domains',
  form: addDomainPage,
  body: z.object({
    domain: z.string().max(LONGEST_ENTRY).optional(),
    domains: z.string().max(LONGEST_ENTRY).optional(),
  }),
  params: z.object({}),
  async run({ db, viewer }, entered) {
    const names = [...new Set((entered.domains ?? entered.domain ?? '').split(SEPARATORS).filter(Boolean).map(nameOf))];
    const fault = faultOf(names);
    if (fault !== undefined) throw new HttpProblem('no_domain_name', { status: 400, error: fault });
    for (const name of names) await addDomain(db, viewer.orgId, name, {});
    return { redirect: names.length === 1 ? `/domains/${names[0]}/dns/dmarc` : '/domains' };
  },
});

function nameOf(text: string): string {
  return normalizeDomain(PASTED_URL.exec(text)?.[1] ?? text);
}

function faultOf(names: readonly string[]): string | undefined {
  if (names.length > MOST_AT_ONCE) return `Add at most ${MOST_AT_ONCE} domains at once.`;
  const wrong = names.find((name) => !isDomainName(name));
  if (names.length > 0 && wrong === undefined) return undefined;
  return `“${printableText(wrong ?? '', LONGEST_SHOWN)}” is no domain name, such as example.com. Nothing was added.`;
}

function AddDomain({ domain, addresses }: { domain: string | undefined; addresses: readonly string[] }) {
  const { domain: one = domain, domains } = useEntered(PATH);
  return (
    <>
      <h1>Add a domain</h1>
      <section class="panel">
        <PostForm class="form" action={PATH}>
          <label>
            Domain
            <input
              name="domain"
              value={one ?? ''}
              placeholder="example.com"
              required
              autocomplete="off"
              maxLength={LONGEST_ENTRY}
            />
          </label>
          <button class="main">Add it</button>
        </PostForm>
        <details open={domains !== undefined}>
          <summary>Several at once</summary>
          <PostForm class="form" action={PATH}>
            <label>
              Names, with spaces, commas or line breaks between
              <textarea name="domains" rows={8} required spellcheck={false} maxLength={LONGEST_ENTRY}>
                {domains}
              </textarea>
            </label>
            <button>Add them</button>
          </PostForm>
        </details>
      </section>
      <p class="soft">
        The next page shows the DMARC record to publish, and what the DNS has now.
        {addresses.length === 0 &&
          ' This organization has no report address yet: “dmarc-ledger org set” with “--rua” says where reports are ' +
            'sent.'}
      </p>
    </>
  );
}

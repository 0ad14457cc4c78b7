import { addDomain } from '@dmarc-ledger/ledger/for-web';
import { findReportAddresses } from '@dmarc-ledger/queries';
import { isDomainName, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { z } from 'zod';
import { defineAction, definePage } from '../../page/define-page.ts';
import { filterShape } from '../../page/filter.ts';
import { PostForm } from '../../views/post-form.tsx';

/** The host of an address as a browser shows it, which is what some paste. */
const PASTED_URL = /^\s*https?:\/\/([^\s/?#:@]+)/i;

const LONGEST_ENTRY = 2_000;

/** How do I begin? */
export const addDomainPage = definePage({
  path: '/domains/add',
  permission: 'add domains',
  query: z.object({ domain: filterShape.domain }),
  params: z.object({}),
  async load({ db, viewer: { orgId } }, { domain }) {
    const addresses = await findReportAddresses(db, orgId);
    return { title: 'Add a domain', body: <AddDomain domain={domain} addresses={addresses} /> };
  },
});

/** Monitors a domain; its first check follows at once. What is no domain name stays in the form. */
export const addDomainAction = defineAction({
  path: '/domains/add',
  right: 'add domains',
  body: z.object({
    domain: z
      .string()
      .max(LONGEST_ENTRY)
      .transform((text) => normalizeDomain(PASTED_URL.exec(text)?.[1] ?? text)),
  }),
  params: z.object({}),
  async run({ db, viewer }, { domain }) {
    if (!isDomainName(domain)) {
      const addresses = await findReportAddresses(db, viewer.orgId);
      const fault = 'This is no domain name, such as example.com.';
      return { title: 'Add a domain', body: <AddDomain {...{ domain, addresses, fault }} />, status: 400 };
    }
    await addDomain(db, viewer.orgId, domain, {});
    return { redirect: `/domains/${domain}/dns/dmarc` };
  },
});

interface AddDomainProps {
  domain: string | undefined;
  addresses: readonly string[];
  fault?: string;
}

function AddDomain({ domain, addresses, fault }: AddDomainProps) {
  return (
    <>
      <h1>Add a domain</h1>
      {fault !== undefined && (
        <p class="notice error" role="alert">
          {fault}
        </p>
      )}
      <section class="panel">
        <PostForm class="form" action="/domains/add">
          <label>
            Domain
            <input name="domain" value={domain ?? ''} placeholder="example.com" required autocomplete="off" />
          </label>
          <button class="main">Add it</button>
        </PostForm>
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

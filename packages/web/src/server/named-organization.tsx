import type { Membership } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem, idText, parseId } from '@dmarc-ledger/vocabulary';
import type { Shown } from '../page/define-page.ts';
import { readForm } from '../page/read-form.ts';
import type { Viewer } from '../page/viewer.ts';
import { organizationTexts } from '../texts/organizations.ts';

interface Named {
  /** The organization that the address names, where it is not the viewer's present one. */
  other: Membership | undefined;
  /** The parameters of the page itself. */
  query: { [name: string]: string };
}

/**
 * Reads of which organization an address wants a page: links in notifications name it with `org`. A value that is no id
 * is a parameter of the page. Throws the answer for a page that does not exist where the viewer does not belong to it.
 */
export function readNamed({ orgId, memberships }: Viewer, asked: unknown): Named {
  const { org, ...query } = readForm(asked);
  const named = org === undefined ? undefined : parseId(org);
  if (named === undefined) return { other: undefined, query: readForm(asked) };
  const membership = memberships.find((each) => each.orgId === named);
  if (!membership) throw noPage();
  return { other: named === orgId ? undefined : membership, query };
}

/** The answer for an address without a page. */
export function noPage(): HttpProblem {
  return new HttpProblem('not_found', { status: 404, error: 'There is no such page' });
}

/** Asks a member before they are led to another of their organizations, and from there to the page. */
export function changePage({ orgId, orgName }: Membership, { pathname, search }: URL): Shown {
  const title = organizationTexts.pageOf(orgName);
  return {
    title,
    body: (
      <section class="panel">
        <h1>{title}</h1>
        <form method="post" action={`/orgs/${idText(orgId)}`}>
          <input type="hidden" name="next" value={pathname + search} />
          <button class="main">{organizationTexts.changeTo(orgName)}</button>
        </form>
      </section>
    ),
  };
}

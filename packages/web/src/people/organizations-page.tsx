import { idText } from '@dmarc-ledger/vocabulary';
import type { Shown } from '../page/define-page.ts';
import { useFrame } from '../page/frame.ts';
import { organizationTexts } from '../texts/organizations.ts';
import { FilterForm } from '../views/filter-form.tsx';
import { NameSearch } from '../views/name-search.tsx';
import { SaveCsv } from '../views/save-csv.tsx';
import { Table, type Column } from '../views/table.tsx';
import { FIGURE_DAYS, type OrganizationRow } from './find-organizations.ts';

/** Every organization of the viewer, those that need attention first; one click changes to it. */
export function organizationsPage(rows: readonly OrganizationRow[], list: ListedOrganizations): Shown {
  if (list.total === 0) return { title: organizationTexts.noneTitle, body: <NoOrganization /> };
  return { title: 'Organizations', body: <Organizations rows={rows} {...list} /> };
}

/** For a person who is signed in, and sees nothing: the frame around pages is that of an organization. */
function NoOrganization() {
  return (
    <section class="panel">
      <h1>{organizationTexts.noneTitle}</h1>
      <p>{organizationTexts.none}</p>
      <p>
        <a href="/account">Your account</a>
      </p>
      <form method="post" action="/sign-out">
        <button>Sign out</button>
      </form>
    </section>
  );
}

interface ListedOrganizations {
  /** The part of their names that was asked for. */
  search: string;
  /** The organization that the viewer is in now. */
  current: string | undefined;
  /** All organizations of the viewer, before the search. */
  total: number;
}

function Organizations({ rows, search, current, total }: ListedOrganizations & { rows: readonly OrganizationRow[] }) {
  const { formats } = useFrame();
  const caption = organizationTexts.caption(FIGURE_DAYS);
  const columns: Column<OrganizationRow>[] = [
    {
      label: 'Organization',
      isName: true,
      cell: ({ membership: { orgId, orgName } }) => (
        <form method="post" action={`/orgs/${idText(orgId)}`}>
          <button class={orgId === current ? 'main named' : 'named'}>{orgName}</button>
        </form>
      ),
    },
    { label: 'Role', cell: ({ membership: { role } }) => role },
    {
      label: 'Messages',
      isNumber: true,
      cell: ({ figures }) => (figures ? formats.count(figures.messages) : <span class="soft">not shown</span>),
    },
    {
      label: 'Passed DMARC',
      isNumber: true,
      cell: ({ figures }) => figures && (figures.compliance === null ? 'no mail' : formats.percent(figures.compliance)),
    },
    {
      label: 'Domains that need you',
      isNumber: true,
      cell: ({ figures }) =>
        figures && `${formats.count(figures.domainsNeedingAttention)} of ${formats.count(figures.domains)}`,
    },
    {
      label: 'Open items',
      cell: ({ figures }) => figures && <OpenItems items={figures.items} />,
    },
  ];
  return (
    <>
      <h1>Organizations</h1>
      <FilterForm parts={[]}>
        <NameSearch value={search} />
      </FilterForm>
      <section class="panel">
        <Table
          caption={search === '' ? caption : `${formats.count(rows.length)} of ${formats.count(total)}. ${caption}`}
          columns={columns}
          rows={rows}
          keyOf={({ membership: { orgId } }) => orgId}
          empty={organizationTexts.noMatch}
        />
        {rows.length > 0 && (
          <p class="small">
            <SaveCsv />
          </p>
        )}
      </section>
    </>
  );
}

function OpenItems({ items: { high, medium, low } }: { items: { high: number; medium: number; low: number } }) {
  const { formats } = useFrame();
  if (high + medium + low === 0) return <span class="tag success">none</span>;
  return (
    <>
      {high > 0 && <span class="tag critical">{formats.count(high)} urgent</span>}{' '}
      {medium > 0 && <span class="tag warning">{formats.count(medium)} soon</span>}{' '}
      {low > 0 && <span class="soft">{formats.count(low)} later</span>}
    </>
  );
}

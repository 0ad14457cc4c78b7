import type { TlsCause, TlsReportRow } from '@dmarc-ledger/queries';
import { idText } from '@dmarc-ledger/vocabulary';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { rowsOfPage } from '../../page/paging.ts';
import { FilterForm } from '../../views/filter-form.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Pager, Table, type Column } from '../../views/table.tsx';
import { Clamped } from '../../views/clamped.tsx';
import { SomeDomains } from './some-domains.tsx';

interface TlsReportsProps {
  rows: readonly TlsReportRow[];
  total: number;
  offset: number;
  domain: string | undefined;
  days: number | undefined;
  /** Only reports with that failure are listed, with its sessions alone. */
  failure: TlsCause | undefined;
}

/** The address of the reports with a failure, of the same days. */
export function reportsOf({ domain, cause, receiver }: TlsCause, days: number): string {
  const query = new URLSearchParams({ days: String(days), of: domain, cause, server: receiver });
  return `/tls/reports?${query.toString()}`;
}

/** TLS reports, newest day first, each with the way to what it says. */
export function TlsReports({ rows, total, offset, domain, days, failure }: TlsReportsProps) {
  const { formats } = useFrame();
  const columns: Column<TlsReportRow>[] = [
    {
      label: 'Day',
      cell: ({ id, day }) => <PageLink to={`/tls/reports/${idText(id)}`}>{formats.day(day)}</PageLink>,
    },
    { label: 'Reporter', isName: true, cell: ({ reporter_name }) => <Clamped text={reporter_name ?? 'unnamed'} /> },
    { label: 'Domains', isName: true, cell: ({ domains }) => <SomeDomains names={domains} /> },
    { label: 'Encrypted sessions', isNumber: true, cell: ({ successes }) => formats.count(successes) },
    { label: 'Failed sessions', isNumber: true, cell: ({ failures }) => formats.count(failures) },
    { label: 'Received', cell: ({ received_at }) => formats.instant(received_at) },
  ];
  return (
    <>
      <p class="small">
        <PageLink to="/tls">TLS</PageLink>
      </p>
      <div class="head">
        <h1>TLS reports</h1>
        <FilterForm parts={['domain', 'days']} hasAllDays domain={domain} days={days}>
          {failure && <FailureFields failure={failure} />}
        </FilterForm>
      </div>
      <section class="panel">
        {failure && <FailureLine failure={failure} />}
        <Table
          caption={formats.counted(total, 'report', 'reports')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty="No TLS report matches. Change the filter, or take it away."
        />
        <Pager total={total} limit={rowsOfPage} offset={offset} csv />
      </section>
    </>
  );
}

/** What the list is limited to, and the way to all reports. */
function FailureLine({ failure: { domain, cause, receiver } }: { failure: TlsCause }) {
  const { url } = useFrame();
  const all = { of: undefined, cause: undefined, server: undefined, offset: undefined };
  return (
    <p>
      Only reports of <strong>{cause || 'a cause that is not named'}</strong>
      {receiver && ` at ${receiver}`}
      {domain && `, for ${domain}`}. <a href={samePage(url, all)}>All reports</a>
    </p>
  );
}

function FailureFields({ failure: { domain, cause, receiver } }: { failure: TlsCause }) {
  return (
    <>
      <input type="hidden" name="of" value={domain} />
      <input type="hidden" name="cause" value={cause} />
      <input type="hidden" name="server" value={receiver} />
    </>
  );
}

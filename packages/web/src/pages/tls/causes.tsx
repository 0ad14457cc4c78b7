import type { TlsCauseSum, TlsDay } from '@dmarc-ledger/queries';
import { isDomainName } from '@dmarc-ledger/vocabulary';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { rowsOfPage } from '../../page/paging.ts';
import { tlsCauses } from '../../texts/tls-causes.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Pager, Table, type Column } from '../../views/table.tsx';
import { reportsOf } from './tls-reports.tsx';

export interface CausesProps {
  causes: { rows: readonly TlsCauseSum[]; total: number };
  offset: number;
  days: number;
  sums: readonly TlsDay[];
}

/** Failed sessions by domain, cause and server, each with its reports. */
export function Causes({ causes: { rows, total }, offset, days, sums }: CausesProps) {
  const { formats } = useFrame();
  const columns: Column<TlsCauseSum>[] = [
    { label: 'Domain', isName: true, cell: ({ domain: name }) => <PolicyDomain name={name} /> },
    {
      label: 'Cause',
      isName: true,
      cell: ({ cause }) => (
        <>
          {cause || 'not named'}
          <div class="soft small">{tlsCauses.get(cause)}</div>
        </>
      ),
    },
    { label: 'Mail server', isName: true, cell: ({ receiver }) => receiver },
    { label: 'Failed sessions', isNumber: true, cell: ({ sessions }) => formats.count(sessions) },
    {
      label: 'Reports',
      isNumber: true,
      cell: (cause) => <PageLink to={reportsOf(cause, days)}>{formats.count(cause.reports)}</PageLink>,
    },
    { label: 'Last', cell: ({ newest }) => formats.day(newest) },
  ];
  return (
    <section class="panel">
      <h2>Failures by cause</h2>
      <Table
        caption="Most failed sessions first"
        columns={columns}
        rows={rows}
        keyOf={({ domain, cause, receiver }) => `${domain} ${cause} ${receiver}`}
        empty={total > 0 ? 'There are no more.' : withoutCause(sums)}
      />
      <Pager total={total} limit={rowsOfPage} offset={offset} csv />
    </section>
  );
}

function withoutCause(sums: readonly TlsDay[]): string {
  if (sums.length === 0) return 'No TLS report in this window. Publish a TLS reporting record to receive them.';
  return sums.some(({ failures }) => failures > 0)
    ? 'Sessions failed, but no report says why.'
    : 'Every session was encrypted.';
}

/** A domain of a TLS report, with the way to its days alone: it can be any text, and only a domain name is a link. */
function PolicyDomain({ name }: { name: string }) {
  const { url } = useFrame();
  if (!isDomainName(name)) return <>{name || 'not named'}</>;
  return <a href={samePage(url, { domain: name })}>{name}</a>;
}

import type { TlsSums } from '@dmarc-ledger/queries';
import { addDays, isDomainName, type Day } from '@dmarc-ledger/vocabulary';
import { dayBars } from '../../charts/day-bars.ts';
import { DaysChart } from '../../charts/days-chart.tsx';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { tlsCauses } from '../../texts/tls-causes.ts';
import { Explain } from '../../views/explain.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { reportsOf } from './tls-reports.tsx';

type Cause = TlsSums['causes'][number];

interface TlsProps {
  sums: TlsSums;
  domain: string | undefined;
  days: number;
  from: Day;
}

/** A domain of a TLS report, with the way to its days alone: it can be any text, and only a domain name is a link. */
function PolicyDomain({ name }: { name: string }) {
  const { url } = useFrame();
  if (!isDomainName(name)) return <>{name || 'not named'}</>;
  return <a href={samePage(url, { domain: name })}>{name}</a>;
}

export function Tls({ sums, domain, days, from }: TlsProps) {
  const { formats } = useFrame();
  const sessions = sums.days.map(({ day, successes, failures }) => ({
    day,
    messages: successes + failures,
    compliant: successes,
  }));
  const bars = dayBars(sessions, addDays(from, days - 1), days);
  const columns: Column<Cause>[] = [
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
    <>
      <div class="head">
        <h1>
          TLS
          <Explain term="tls" />
        </h1>
        <FilterForm parts={['domain', 'days']} domain={domain} days={days} />
      </div>
      <section class="panel">
        <h2>Failures by cause</h2>
        <Table
          caption="Most failed sessions first"
          columns={columns}
          rows={sums.causes}
          keyOf={({ domain: name, cause, receiver }) => `${name} ${cause} ${receiver}`}
          empty={
            sums.days.length === 0
              ? 'No TLS report in this window. Publish a TLS reporting record to receive them.'
              : 'Every session was encrypted.'
          }
        />
        {sums.causes.length > 0 && (
          <p class="small">
            <SaveCsv />
          </p>
        )}
      </section>
      <section class="panel">
        <h2>Sessions by day</h2>
        <DaysChart days={bars} label={`TLS sessions by day, the last ${days} days`} unit="sessions" test="TLS" />
        <p class="small">
          <PageLink to="/tls/reports">All TLS reports</PageLink>
        </p>
      </section>
    </>
  );
}

import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { dayBars } from '../../charts/day-bars.ts';
import { DaysChart } from '../../charts/days-chart.tsx';
import { Explain } from '../../views/explain.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Causes, type CausesProps } from './causes.tsx';

interface TlsProps extends CausesProps {
  domain: string | undefined;
  from: Day;
}

/** Why sessions failed, and the sessions of each day. */
export function Tls({ domain, from, ...props }: TlsProps) {
  const { sums, days } = props;
  const sessions = sums.map(({ day, successes, failures }) => ({
    day,
    messages: successes + failures,
    compliant: successes,
  }));
  const bars = dayBars(sessions, addDays(from, days - 1), days);
  return (
    <>
      <div class="head">
        <h1>
          TLS
          <Explain term="tls" />
        </h1>
        <FilterForm parts={['domain', 'days']} domain={domain} days={days} />
      </div>
      <Causes {...props} />
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

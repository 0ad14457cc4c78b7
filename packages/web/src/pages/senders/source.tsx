import type { AddressDecision } from '@dmarc-ledger/queries';
import { daysBetween } from '@dmarc-ledger/vocabulary';
import { type DayBar, dayBars } from '../../charts/day-bars.ts';
import { DaysChart } from '../../charts/days-chart.tsx';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Breakable } from '../../views/breakable.tsx';
import { Explain } from '../../views/explain.tsx';
import { ClassTag } from '../../views/tags.tsx';
import type { SourceBody } from './source-body.ts';
import { Blocklists } from './blocklists.tsx';
import { SourceDecisions } from './source-decisions.tsx';
import { SourceEvidence } from './source-evidence.tsx';
import { SourceFacts } from './source-facts.tsx';
import { SourceRecords } from './source-records.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface SourceViewProps {
  source: SourceBody;
  /** The figures are of mail as this domain; undefined if they are of all mail. */
  domain: string | undefined;
  decisions: readonly AddressDecision[];
}

/** One address: its class and why, what is known of it, its mail by day, and what reports said. */
export function SourceView({ source, domain, decisions }: SourceViewProps) {
  const { formats, url } = useFrame();
  const bars = barsOf(source.timeline);
  const isOfAll = domain === undefined && url.searchParams.get('domain');
  // of all days, and of all domains where the figures are: an empty value ends that part of the filter
  const reports = isOfAll ? '/reports?days=&domain=' : '/reports?days=';
  return (
    <>
      <h1 class="mono">{source.source_ip}</h1>
      {domain !== undefined && (
        <p class="small">
          Its mail as <Breakable name={domain} /> alone.{' '}
          <PageLink to={withFilter(url, `${url.pathname}?domain=`)}>As all domains</PageLink>
        </p>
      )}
      <section class="panel">
        <h2>
          {source.service_name ?? source.hostname ?? 'Not a recognised service'}{' '}
          <ClassTag name={source.classification} />
          <Explain term={source.classification} />
        </h2>
        {source.classification_description && <p>{source.classification_description}</p>}
        <SourceDecisions decisions={decisions} />
        <dl class="numbers">
          <div>
            <dt>Messages</dt>
            <dd>
              <PageLink to={withFilter(url, reports, { source_ip: source.source_ip })}>
                {formats.count(source.total_messages)}
              </PageLink>
            </dd>
          </div>
          <div>
            <dt>
              Passed DMARC
              <Explain term="compliance" />
            </dt>
            <dd>
              {formats.count(source.pass_count)} <small>{formats.percent(source.compliance_rate)}</small>
            </dd>
          </div>
          <div>
            <dt>
              SPF not aligned
              <Explain term="spf" />
            </dt>
            <dd>{formats.count(source.spf_fail_count)}</dd>
          </div>
          <div>
            <dt>
              DKIM not aligned
              <Explain term="dkim" />
            </dt>
            <dd>{formats.count(source.dkim_fail_count)}</dd>
          </div>
        </dl>
      </section>
      <div class="columns">
        <SourceFacts source={source} />
        <SourceEvidence source={source} />
        <Blocklists source={source} />
      </div>
      <section class="panel">
        <h2>Messages by day</h2>
        <DaysChart days={bars} label={`Messages of ${source.source_ip} by day`} />
      </section>
      <section class="panel">
        <h2>What reports said</h2>
        <SourceRecords source={source} />
        <p class="small">
          <SaveCsv total={source.records_total} />
        </p>
      </section>
    </>
  );
}

const MOST_DAYS = 365;

/** A bar for each day from the first to the last with mail, or the last year of these. */
function barsOf(timeline: SourceBody['timeline']): DayBar[] {
  const sums = timeline.flatMap(({ date, total_messages, compliant_messages }) =>
    date ? [{ day: date, messages: total_messages, compliant: compliant_messages }] : [],
  );
  const [first, last] = [sums[0]?.day, sums.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const days = daysBetween(first, last) + 1;
  return dayBars(sums, last, Math.min(days, MOST_DAYS));
}

import type { Day } from '@dmarc-ledger/vocabulary';
import type { BodyOf, CoverageBody, getDomainHealth, listSources } from '@dmarc-ledger/api/answers';
import type { ScoreFacts } from '@dmarc-ledger/facts';
import { isLocked, type Score } from '@dmarc-ledger/scoring';
import type { AddressDecision, ForgedMail, OpenFact, PublishedPolicy, RecordChange } from '@dmarc-ledger/queries';
import type { DayBar } from '../../charts/day-bars.ts';
import { DaysChart } from '../../charts/days-chart.tsx';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { ForgedMailPanel } from '../../views/forged-mail.tsx';
import { RecordChanges } from '../../views/record-changes.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { ScoreParts } from '../../views/score-parts.tsx';
import { EventList } from '../events/event-list.tsx';
import type { ShownEvent } from '../events/event-of.ts';
import { SourceTable } from '../senders/source-table.tsx';
import { tasksFirst } from '../senders/tasks-first.ts';
import { ActionItems } from './action-items.tsx';
import { EndMonitoring } from './end-monitoring-form.tsx';
import { DomainVerdict } from './domain-verdict.tsx';
import type { Item } from './group-items.ts';
import { Protocols } from './protocols.tsx';
import { Tighten } from './tighten.tsx';
import { shownEmptyState } from '../../texts/empty-state.ts';
import { WrittenName } from '../../views/written-name.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface DomainProps {
  health: BodyOf<typeof getDomainHealth>;
  /** The open items that follow those of the health, and what the open events found. */
  open: { further: readonly Item[]; facts: readonly OpenFact[] };
  /** Undefined before the first report. */
  score: Score | undefined;
  bars: readonly DayBar[];
  days: number;
  today: Day;
  senders: BodyOf<typeof listSources>['sources'];
  decisions: readonly AddressDecision[];
  forged: readonly ForgedMail[];
  changed: { changes: readonly RecordChange[]; days: number };
  /** What a check has read of its DMARC policy; undefined before the first. */
  published: PublishedPolicy | undefined;
  /** Undefined before the first report. */
  facts: ScoreFacts | undefined;
  coverage: CoverageBody;
  events: readonly ShownEvent[] | undefined;
}

export function Domain(props: DomainProps) {
  const {
    health,
    open,
    score,
    bars,
    days,
    senders,
    decisions,
    forged,
    changed,
    published,
    facts,
    coverage,
    events,
    today,
  } = props;
  const { url } = useFrame();
  const { domain } = health;
  const isAhead = health.last_report_date === null && senders.length > 0;
  return (
    <>
      <div class="head">
        <div>
          <h1>{domain}</h1>
          <WrittenName domain={domain} />
        </div>
        <FilterForm parts={['days']} days={days} />
      </div>
      <DomainVerdict health={health} published={published} facts={facts} coverage={coverage} isAhead={isAhead} />
      <div class="columns">
        <ActionItems
          domain={domain}
          items={[...(health.action_items ?? []), ...open.further]}
          total={health.alert_count}
          facts={open.facts}
          emptyState={shownEmptyState(health)}
        />
        <div>
          <Tighten domain={domain} facts={facts} published={published} today={today} />
          <ScoreParts score={score} isLocked={facts && isLocked(facts)} isAhead={isAhead} />
        </div>
      </div>
      <section class="panel">
        <h2>What the DNS publishes</h2>
        <Protocols domain={domain} dns={health.dns} />
        <p>
          <PageLink to={`/domains/${domain}/spf`}>Who needs the SPF record</PageLink>
          {' · '}
          <PageLink to={`/domains/${domain}/dkim`}>Use and age of the DKIM keys</PageLink>
        </p>
      </section>
      <section class="panel">
        <h2>What changed in the DNS</h2>
        <RecordChanges {...changed} />
      </section>
      <section class="panel">
        <h2>Messages by day</h2>
        <DaysChart days={bars} label={`Messages of ${domain} by day, the last ${days} days`} />
      </section>
      <ForgedMailPanel waves={forged} days={days} />
      <section class="panel">
        <h2>Who sends as {domain}</h2>
        <SourceTable
          sources={tasksFirst(senders, decisions)}
          decisions={decisions}
          caption={decisions.length > 0 ? 'The busiest, own senders that fail first' : 'Busiest first'}
          empty="No report names a sender yet."
        />
        <p>
          <PageLink to={withFilter(url, '/senders', { domain })}>All senders of {domain}</PageLink>
        </p>
      </section>
      {events && (
        <section class="panel">
          <h2>What happened</h2>
          <EventList events={events} back={url.pathname} />
        </section>
      )}
      <EndMonitoring domain={domain} />
    </>
  );
}

import { confidenceOfRate, type BodyOf, type dashboardOverview, type OrgCoverageBody } from '@dmarc-ledger/api/answers';
import type { ForgedMail, RecordChange } from '@dmarc-ledger/queries';
import type { Day } from '@dmarc-ledger/vocabulary';
import type { ComponentProps } from 'preact';
import type { DayBar } from '../../charts/day-bars.ts';
import { DaysChart } from '../../charts/days-chart.tsx';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { FilterForm } from '../../views/filter-form.tsx';
import { ForgedMailPanel } from '../../views/forged-mail.tsx';
import { RecordChanges } from '../../views/record-changes.tsx';
import { EventList } from '../events/event-list.tsx';
import type { ShownEvent } from '../events/event-of.ts';
import { Arrivals } from './arrivals.tsx';
import { type Card, DomainCards } from './domain-cards.tsx';
import { Reporters } from './reporters.tsx';
import { type SilentDomain, SilentDomains } from './silent-domains.tsx';
import { PassRate, Score, WindowMessages } from '../../views/numbers.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface OverviewProps {
  overview: BodyOf<typeof dashboardOverview>;
  cards: readonly Card[];
  /** The last day of each score, by the domain's name. */
  newestDays: ReadonlyMap<string, Day>;
  silent: readonly SilentDomain[];
  /** True for the owner of the bundled samples. */
  hasSamples: boolean;
  bars: readonly DayBar[];
  days: number;
  forged: readonly ForgedMail[];
  /** What the viewer's role may not see is undefined. */
  events: readonly ShownEvent[] | undefined;
  changed: { changes: readonly RecordChange[]; days: number } | undefined;
  arrivals: ComponentProps<typeof Arrivals> | undefined;
  coverage: OrgCoverageBody;
  today: Day;
}

export function Overview(props: OverviewProps) {
  const {
    overview,
    cards,
    newestDays,
    silent,
    hasSamples,
    bars,
    days,
    forged,
    events,
    changed,
    arrivals,
    coverage,
    today,
  } = props;
  const { url } = useFrame();
  const { org_health: health, action_items_summary: items } = overview;
  return (
    <>
      <div class="head">
        <h1>Overview</h1>
        <FilterForm parts={['days']} days={days} />
      </div>
      {hasSamples && <Samples />}
      {health.has_data ? <Health health={health} items={items} coverage={coverage} /> : <NoData />}
      <section class="panel">
        <h2>Domains, worst first</h2>
        <DomainCards cards={cards} newestDays={newestDays} coverage={coverage} />
        <SilentDomains domains={silent} />
        <p>
          <PageLink to={withFilter(url, '/domains')}>All domains</PageLink>
        </p>
      </section>
      <section class="panel">
        <h2>Messages by day</h2>
        <DaysChart days={bars} label={`Messages by day, the last ${days} days`} />
      </section>
      <ForgedMailPanel waves={forged} days={days} />
      <div class="columns">
        {(changed || arrivals) && (
          <div>
            {changed && (
              <section class="panel">
                <h2>What changed in the DNS, the last {changed.days} days</h2>
                <RecordChanges {...changed} />
              </section>
            )}
            {arrivals && <Arrivals {...arrivals} />}
          </div>
        )}
        {coverage.reporters.length > 0 && <Reporters reporters={coverage.reporters} today={today} />}
      </div>
      {events && (
        <section class="panel">
          <h2>What happened</h2>
          <EventList events={events} back="/" />
          <p>
            <PageLink to={withFilter(url, '/events')}>All events</PageLink>
          </p>
        </section>
      )}
    </>
  );
}

function Health({
  health,
  items,
  coverage,
}: {
  coverage: OrgCoverageBody;
  health: OverviewProps['overview']['org_health'];
  items: OverviewProps['overview']['action_items_summary'];
}) {
  const { formats, url } = useFrame();
  const { compliance_rate: rate, total_messages: messages } = health;
  return (
    <section class="panel">
      <h2>{health.verdict}</h2>
      <dl class="numbers">
        <Score score={health.overall_score} grade={health.grade} />
        <PassRate
          rate={rate}
          messages={messages}
          confidence={confidenceOfRate({ rate, messages }, coverage.confidence)}
        />
        <WindowMessages messages={messages} reports={withFilter(url, '/reports')} />
        <div>
          <dt>Sending addresses</dt>
          <dd>
            <PageLink to={withFilter(url, '/senders')}>{formats.count(health.unique_source_ips)}</PageLink>{' '}
            <small>in the same days</small>
          </dd>
        </div>
        <div>
          <dt>Domains that need you</dt>
          <dd>
            <PageLink to={withFilter(url, '/domains', { needs: 1 })}>
              {formats.count(health.domains_needing_attention)}
            </PageLink>{' '}
            <small>of {formats.count(health.total_domains)}</small>
          </dd>
        </div>
        <div>
          <dt>Open items</dt>
          <dd>
            <PageLink to={withFilter(url, '/domains', { needs: 1, sort_by: 'items', sort_dir: 'desc' })}>
              {formats.count(items.total_pending)}
            </PageLink>{' '}
            <small>
              {formats.count(items.high)} urgent, {formats.count(items.medium)} soon, {formats.count(items.low)} later
            </small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Samples() {
  return (
    <form class="notice" method="post" action="/orgs/own">
      What you see are samples, of domains that do not exist. <button class="main">Use my own reports</button>
    </form>
  );
}

function NoData() {
  return (
    <section class="panel">
      <h2>No reports yet</h2>
      <p>
        Upload one, add a mailbox, or publish a DMARC record whose <code>rua</code> address leads to a mailbox that this
        server reads. The first report usually arrives within a day.
      </p>
      <p>
        <PageLink class="button main" to="/settings/ingest">
          Use my own reports
        </PageLink>
      </p>
    </section>
  );
}

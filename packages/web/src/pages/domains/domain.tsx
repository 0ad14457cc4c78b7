import type { Day } from '@dmarc-ledger/vocabulary';
import { confidenceOfRate } from '@dmarc-ledger/api/answers';
import type { BodyOf, complianceScore, CoverageBody, getDomainHealth, listSources } from '@dmarc-ledger/api/answers';
import type { ScoreFacts } from '@dmarc-ledger/facts';
import type { AddressDecision, ForgedMail, OpenFact, PublishedPolicy, RecordChange } from '@dmarc-ledger/queries';
import type { DayBar } from '../../charts/day-bars.ts';
import { DaysChart } from '../../charts/days-chart.tsx';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { policyText, publishedPolicy } from '../../texts/policy.ts';
import { Explain } from '../../views/explain.tsx';
import { ForgedMailPanel } from '../../views/forged-mail.tsx';
import { RecordChanges } from '../../views/record-changes.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { EventList } from '../events/event-list.tsx';
import type { ShownEvent } from '../events/event-of.ts';
import { SourceTable } from '../senders/source-table.tsx';
import { tasksFirst } from '../senders/tasks-first.ts';
import { ActionItems } from './action-items.tsx';
import type { Item } from './group-items.ts';
import { Protocols } from './protocols.tsx';
import { ScoreParts } from './score-parts.tsx';
import { Tighten } from './tighten.tsx';
import { PassRate, Score, WindowMessages } from '../../views/numbers.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface DomainProps {
  health: BodyOf<typeof getDomainHealth>;
  /** The open items that follow those of the health, and what the open events found. */
  open: { further: readonly Item[]; facts: readonly OpenFact[] };
  score: BodyOf<typeof complianceScore>;
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
  const { formats, url } = useFrame();
  const { domain, total_messages: messages } = health;
  const { rate } = health.compliance;
  const policy =
    published && !facts
      ? publishedPolicy(published)
      : { policy: health.compliance.policy, isUnpublished: published?.isUnpublished ?? false };
  const reports = withFilter(url, '/reports', { domain });
  return (
    <>
      <div class="head">
        <h1>{domain}</h1>
        <FilterForm parts={['days']} days={days} />
      </div>
      <section class="panel">
        {published?.isUnpublished ? (
          <>
            <h2>No DMARC record is published, so receivers apply no policy</h2>
            <p>By its reports: {health.verdict}</p>
          </>
        ) : (
          <h2>{health.verdict}</h2>
        )}
        {published?.permissionMissing !== undefined && (
          <p>
            <strong>Reporters may not send reports here.</strong> Publish a TXT record <code>v=DMARC1</code> at{' '}
            <code>{published.permissionMissing}</code>:{' '}
            <PageLink to={`/domains/${domain}/dns/dmarc`}>the record to publish</PageLink>
          </p>
        )}
        <dl class="numbers">
          <Score score={health.overall_score} grade={health.grade} />
          <PassRate rate={rate} confidence={confidenceOfRate({ rate, messages }, coverage.confidence)} />
          <WindowMessages messages={messages} reports={reports} to={health.last_report_date} />
          <div>
            <dt>
              Policy
              <Explain term="policy" />
            </dt>
            <dd>{policyText(policy)}</dd>
          </div>
          <div>
            <dt>Last report</dt>
            <dd>{health.last_report_date ? formats.day(health.last_report_date) : 'none yet'}</dd>
          </div>
        </dl>
        {coverage.silent_reporters
          .filter(({ is_large }) => is_large)
          .map(({ name, text }) => (
            <p key={name}>{text}</p>
          ))}
        <p>
          <PageLink to={`/domains/${domain}/coverage`}>How much these figures see</PageLink>
          {' · '}
          <PageLink to={`/domains/${domain}/bulk-sender`}>Rules for bulk senders</PageLink>
        </p>
        {health.computed_at && <p class="soft small">Computed {formats.instant(health.computed_at)}.</p>}
      </section>
      <div class="columns">
        <ActionItems
          domain={domain}
          items={[...(health.action_items ?? []), ...open.further]}
          total={health.alert_count}
          facts={open.facts}
          emptyState={health.empty_state ?? undefined}
        />
        <div>
          <Tighten domain={domain} facts={facts} published={published} today={today} />
          <ScoreParts score={score} facts={facts} />
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
    </>
  );
}

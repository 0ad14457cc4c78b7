import { confidenceOfRate, type BodyOf, type CoverageBody, type getDomainHealth } from '@dmarc-ledger/api/answers';
import type { ScoreFacts } from '@dmarc-ledger/facts';
import type { PublishedPolicy } from '@dmarc-ledger/queries';
import { useFrame } from '../../page/frame.ts';
import { reportsOfScore } from '../../page/reports-of-score.ts';
import { gapsOf, publishedPolicy } from '../../texts/policy.ts';
import { PassRate, Policy, Score, WindowMessages } from '../../views/numbers.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { VerdictHeading } from '../../views/verdict-heading.tsx';

interface DomainVerdictProps {
  health: BodyOf<typeof getDomainHealth>;
  /** What a check has read of its DMARC policy; undefined before the first. */
  published: PublishedPolicy | undefined;
  /** Undefined before the first report. */
  facts: ScoreFacts | undefined;
  coverage: CoverageBody;
  /** Reports arrive, and all are dated after today. */
  isAhead: boolean;
}

/** Whether the domain is protected, with the figures behind that. */
export function DomainVerdict({ health, published, facts, coverage, isAhead }: DomainVerdictProps) {
  const { formats, url } = useFrame();
  const { domain, total_messages: messages, last_report_date: last } = health;
  const { rate } = health.compliance;
  const policy =
    published && !facts ? publishedPolicy(published) : { policy: health.compliance.policy, ...gapsOf(published) };
  const reports = reportsOfScore(url, domain, last);
  return (
    <section class="panel">
      <VerdictHeading verdict={health.verdict} isUnpublished={published?.isUnpublished ?? false} />
      {published?.permissionMissing !== undefined && (
        <p>
          <strong>Reporters may not send reports here.</strong> Publish a TXT record <code>v=DMARC1</code> at{' '}
          <code>{published.permissionMissing}</code>:{' '}
          <PageLink to={`/domains/${domain}/dns/dmarc`}>the record to publish</PageLink>
        </p>
      )}
      <dl class="numbers">
        <Score score={health.overall_score} grade={health.grade} isKnown={last !== null} />
        <PassRate
          rate={rate}
          messages={messages}
          confidence={confidenceOfRate({ rate, messages }, coverage.confidence)}
        />
        <WindowMessages messages={messages} reports={reports} to={last} />
        <Policy of={policy} />
        <div>
          <dt>Last report</dt>
          <dd>{last ? formats.day(last) : isAhead ? 'dated after today' : 'none yet'}</dd>
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
  );
}

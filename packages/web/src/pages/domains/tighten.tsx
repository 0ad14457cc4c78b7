import type { ScoreFacts } from '@dmarc-ledger/facts';
import type { PublishedPolicy } from '@dmarc-ledger/queries';
import type { ComponentChildren } from 'preact';
import { FEWEST_TO_JUDGE, isFullyApplied, POLICY_STEPS, STALE_DAYS } from '@dmarc-ledger/scoring';
import { addDays, type Day, rate } from '@dmarc-ledger/vocabulary';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface TightenProps {
  domain: string;
  facts: ScoreFacts | undefined;
  /** What a check has read of its DMARC policy; undefined before the first. */
  published: PublishedPolicy | undefined;
  today: Day;
}

/** Whether the domain may move to a stricter policy, and what keeps it from that. (rules, events/stricter-policy) */
export function Tighten({ domain, facts, published, today }: TightenProps) {
  const { formats, url } = useFrame();
  const effective = facts ? facts.policy : published?.policy;
  const policy = effective?.p;
  const step = POLICY_STEPS.find((each) => each.policy === policy);
  if (published?.isUnpublished)
    return (
      <Answer domain={domain} verdict="No record is published, so no policy applies" reasons={[]}>
        <PageLink to={`/domains/${domain}/dns/dmarc`}>The record to publish</PageLink>
      </Answer>
    );
  if (published?.fault !== undefined)
    return (
      <Answer domain={domain} verdict="No valid record is published" reasons={[published.fault]}>
        <PageLink to={`/domains/${domain}/dns/dmarc`}>The record to correct</PageLink>
      </Answer>
    );
  if (effective === undefined || policy === undefined)
    return (
      <Answer
        domain={domain}
        verdict="No policy is known yet"
        reasons={['Reports, or a check of the DNS, will show it.']}
      />
    );
  if (!isFullyApplied(effective) && policy !== 'none')
    return (
      <Answer
        domain={domain}
        verdict={`The policy is ${policy}, and is not fully applied yet`}
        reasons={['That it applies to all mail is the next step: see first which senders it would affect.']}
      />
    );
  const below = effective.sp ?? policy;
  if (!step && below !== 'reject')
    return (
      <Answer
        domain={domain}
        verdict={`The policy is ${policy}, and ${below} for names below the domain`}
        reasons={['That these are rejected too is the last step: see first which senders it would affect.']}
      />
    );
  if (!step)
    return <Answer domain={domain} verdict={`The policy is ${policy}: there is nothing stricter`} reasons={[]} />;
  if (!facts)
    return (
      <Answer
        domain={domain}
        verdict={`Not yet: it stays at ${step.policy}`}
        reasons={['No report is about the domain yet.']}
      />
    );
  const passed = rate(facts.compliant, facts.messages);
  const reasons: string[] = [];
  const few = (count: number, one: string, several: string) => `${formats.counted(count, one, several)} too few`;
  if (facts.newestDay < addDays(today, -STALE_DAYS))
    reasons.push(`No report is about a day since ${formats.day(facts.newestDay)}.`);
  if (!facts.hasValidRecord) reasons.push('The DNS has no valid DMARC record of it, or none was read within a week.');
  if (facts.messages < FEWEST_TO_JUDGE.messages)
    reasons.push(`${few(facts.messages, 'message is', 'messages are')}; ${FEWEST_TO_JUDGE.messages} are enough.`);
  if (facts.reportDays < FEWEST_TO_JUDGE.days)
    reasons.push(
      `Reports of ${formats.counted(facts.reportDays, 'day', 'days')} are too few; ${FEWEST_TO_JUDGE.days} are enough.`,
    );
  if (passed < step.from)
    reasons.push(
      `${formats.percent(passed)} of the mail of 30 days passes DMARC; ${formats.percent(step.from)} are needed.`,
    );
  if (reasons.length === 0)
    return (
      <Answer
        domain={domain}
        verdict={`Yes: it may move from ${step.policy} to ${step.next}`}
        reasons={[
          `${formats.percent(passed)} of the mail of 30 days passes DMARC. See first whether a sender of yours is in ` +
            `the rest.`,
        ]}
      >
        <PageLink to={`/domains/${domain}/dns/dmarc`}>The record to change</PageLink>
      </Answer>
    );
  return (
    <Answer domain={domain} verdict={`Not yet: it stays at ${step.policy}`} reasons={reasons}>
      {passed < step.from && (
        <PageLink to={withFilter(url, '/senders', { domain, failing: 1, sort_by: 'auth_failures' })}>
          Senders whose mail fails
        </PageLink>
      )}
    </Answer>
  );
}

interface AnswerProps {
  domain: string;
  verdict: string;
  reasons: readonly string[];
  children?: ComponentChildren;
}

function Answer({ domain, verdict, reasons, children }: AnswerProps) {
  return (
    <section class="panel">
      <h2>
        May the policy be stricter?
        <Explain term="tighten" />
      </h2>
      <p>
        <strong>{verdict}.</strong>
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {children && <p>{children}</p>}
      <p>
        <PageLink to={`/domains/${domain}/enforce`}>What a stricter policy would have done</PageLink>
      </p>
    </section>
  );
}

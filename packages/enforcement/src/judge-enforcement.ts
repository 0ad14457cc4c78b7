import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { enforcementTexts } from './enforcement-texts.ts';
import { nextStep, tagsOfStep, type AppliedPolicy } from './path.ts';
import type { EnforcementStep } from './step.ts';
import type { AffectedSender } from './what-if.ts';

export interface EnforcementVerdict {
  /** The step that the verdict is about; undefined when there is no stricter policy. */
  step: EnforcementStep | undefined;
  /** `ready`, `ready after N fixes`, `not enough data` or `no valid record`. */
  verdict: string;
  text: string;
  /** Senders that are to be looked at first. */
  fixes: number;
}

export interface WindowFacts {
  domain: string;
  days: number;
  /** All messages of the window, and its days with reports. */
  messages: number;
  reportDays: number;
  /** The newest of these days before today, or today. */
  newestDay: Day | null;
  today: Day;
  policy: AppliedPolicy;
}

/** The least mail, and the fewest days with reports, that a verdict rests on; and how old the newest of them may be. */
const LEAST_DATA = { messages: 100, days: 14, silentDays: 14 };

type Data = Pick<WindowFacts, 'messages' | 'reportDays' | 'newestDay' | 'today'>;

/** True if a verdict can rest on the mail of the window. */
export function isEnoughData({ messages, reportDays, ...days }: Data): boolean {
  return messages >= LEAST_DATA.messages && reportDays >= LEAST_DATA.days && !isSilent(days);
}

function isSilent({ newestDay, today }: Pick<Data, 'newestDay' | 'today'>): boolean {
  return newestDay === null || newestDay < addDays(today, -LEAST_DATA.silentDays);
}

/** The verdict alone, where so many senders keep the next step from being safe. (rules, enforcement/verdict) */
export function verdictOf({ policy, ...data }: Data & Pick<WindowFacts, 'policy'>, fixes: number): string {
  const { verdict } = enforcementTexts;
  if (policy.fault) return verdict.noRecord;
  if (nextStep(policy) === undefined) return verdict.ready;
  if (!isEnoughData(data)) return verdict.notEnough;
  return fixes === 0 ? verdict.ready : verdict.fixes({ fixes });
}

/**
 * Judges the next step of the path, and says what is rejected now. (rules, enforcement/verdict)
 * @param senders those of the mail that the step would newly affect: see `judgedSenders`
 * @param refused the own senders of mail that is rejected now: see `refusedSenders`
 */
export function judgeEnforcement(
  facts: WindowFacts,
  senders: readonly AffectedSender[],
  refused: readonly AffectedSender[] = [],
): EnforcementVerdict {
  const judged = judgeStep(facts, senders);
  if (refused.length === 0) return judged;
  const now = enforcementTexts.refused({ days: facts.days, messages: sum(refused), senders: refused.length });
  return { ...judged, text: `${judged.text} ${now}` };
}

function judgeStep(facts: WindowFacts, senders: readonly AffectedSender[]): EnforcementVerdict {
  const { domain, days, messages, reportDays, policy } = facts;
  const step = nextStep(policy);
  const none = { step, verdict: verdictOf(facts, 0), fixes: 0 };
  if (policy.fault)
    return { ...none, text: enforcementTexts[policy.fault === 'none' ? 'noRecord' : 'brokenRecord']({ domain }) };
  if (step === undefined) return { ...none, text: enforcementTexts[policy.isBelow ? 'doneBelow' : 'done']({ domain }) };
  if (messages > 0 && isSilent(facts))
    return { ...none, text: enforcementTexts.silent({ days: LEAST_DATA.silentDays }) };
  if (none.verdict === enforcementTexts.verdict.notEnough)
    return { ...none, text: enforcementTexts.notEnough({ messages, reportDays, days, least: LEAST_DATA }) };
  const blockers = senders.filter(({ isBlocker }) => isBlocker);
  const fixes = blockers.length;
  const tags = tagsOfStep(step, policy);
  const said =
    fixes === 0
      ? enforcementTexts.ready({ domain, step, tags, days })
      : enforcementTexts.fixes({ domain, step, tags, days, messages: sum(blockers), fixes });
  return {
    step,
    verdict: verdictOf(facts, fixes),
    text: [said, ...othersOf(step, senders)].join(' '),
    fixes,
  };
}

/** Sentences about the senders that block nothing: their mail is affected as well. */
function othersOf(step: EnforcementStep, senders: readonly AffectedSender[]): string[] {
  const kindOf = ({ decision, isForwarder }: AffectedSender) =>
    decision === 'not_ours' ? 'notOurs' : decision === 'forwarder' || isForwarder ? 'forwarded' : 'undecided';
  return (['forwarded', 'notOurs', 'undecided'] as const).flatMap((kind) => {
    const some = senders.filter((sender) => !sender.isBlocker && kindOf(sender) === kind);
    return some.length === 0 ? [] : [enforcementTexts[kind]({ step, messages: sum(some), senders: some.length })];
  });
}

function sum(senders: readonly { messages: number }[]): number {
  return senders.reduce((total, { messages }) => total + messages, 0);
}

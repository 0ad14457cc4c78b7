import { addDays, type Day, type DmarcPolicy, type EffectivePolicy, rate } from '@dmarc-ledger/vocabulary';
import { isFullyApplied } from '../locked.ts';
import { isEnoughToJudge } from '../readiness.ts';
import { eventTexts } from './event-texts.ts';
import { holding, over, type Judgement } from './judgement.ts';
import type { DayFigures } from './baseline.ts';
import type { CheckFact } from './checks.ts';

/** From which policy to which, and the least percentage of mail that passes. */
export const POLICY_STEPS = [
  { policy: 'none', next: 'quarantine', from: 98 },
  { policy: 'quarantine', next: 'reject', from: 99 },
] as const;
const [toQuarantine, toReject] = POLICY_STEPS;

/** Older figures say nothing of the mail of today. */
export const STALE_DAYS = 7;

/** A step to a stricter policy, and the share of mail that must pass, in percent. */
interface Step {
  /** Names the condition. */
  name: string;
  isAt: (policy: EffectivePolicy) => boolean;
  from: number;
  advice: string;
}

const isPartly = (p: DmarcPolicy) => (policy: EffectivePolicy) => policy.p === p && !isFullyApplied(policy);

/** From the weakest policy to the strictest that is not the last one. */
const STEPS: readonly Step[] = [
  { name: 'none', isAt: ({ p }) => p === 'none', from: toQuarantine.from, advice: 'move from none to quarantine' },
  {
    name: 'quarantine_partly',
    isAt: isPartly('quarantine'),
    from: toReject.from,
    advice: 'apply quarantine to all of it',
  },
  {
    name: 'quarantine',
    isAt: ({ p }) => p === 'quarantine',
    from: toReject.from,
    advice: 'move from quarantine to reject',
  },
  { name: 'reject_partly', isAt: isPartly('reject'), from: toReject.from, advice: 'apply reject to all of it' },
];

/**
 * Judges by the scoring window whether a stricter policy would cause no harm. The condition ends when the policy rises.
 * (rules, events/stricter-policy)
 */
export function judgeUpgrade(
  domain: string,
  policy: EffectivePolicy | undefined,
  { window, today }: { window: readonly DayFigures[]; today: Day },
  dmarc: Pick<CheckFact, 'status' | 'policy'> | undefined,
): Judgement[] {
  if (policy === undefined) return [];
  const level = STEPS.findIndex(({ isAt }) => isAt(policy));
  const below = STEPS.slice(0, level < 0 ? STEPS.length : level);
  const risen = below.map((step) => over('policy_upgrade_ready', domain, step.name));
  const step = STEPS[level];
  const messages = sum(window, (day) => day.messages);
  const passed = rate(
    sum(window, (day) => day.compliant),
    messages,
  );
  const hasValidRecord = dmarc !== undefined && dmarc.status !== 'error' && dmarc.policy !== null;
  const isReady = isEnoughToJudge({ reportDays: window.length, messages, hasValidRecord });
  const isStale = !window.some(({ day }) => day >= addDays(today, -STALE_DAYS));
  if (!step || !isReady || isStale || passed < step.from) return risen;
  const message = eventTexts.ready({ domain, percent: passed, advice: step.advice });
  return [...risen, holding('policy_upgrade_ready', { domain, parts: [domain, step.name], message })];
}

function sum(days: readonly DayFigures[], figure: (day: DayFigures) => number): number {
  return days.reduce((total, day) => total + figure(day), 0);
}

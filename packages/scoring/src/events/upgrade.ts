import { type DmarcPolicy, rate } from '@dmarc-ledger/vocabulary';
import { isEnoughToJudge } from '../readiness.ts';
import { eventTexts } from './event-texts.ts';
import { holding, over, type Judgement } from './judgement.ts';
import type { DayFigures } from './baseline.ts';
import type { CheckFact } from './checks.ts';

const STEPS = [
  { policy: 'none', next: 'quarantine', from: 98 },
  { policy: 'quarantine', next: 'reject', from: 99 },
] as const;

/**
 * Judges by the scoring window whether a stricter policy would cause no harm. The condition ends when the policy rises.
 * (rules, events/stricter-policy)
 */
export function judgeUpgrade(
  domain: string,
  policy: DmarcPolicy | undefined,
  window: readonly DayFigures[],
  dmarc: Pick<CheckFact, 'status' | 'policy'> | undefined,
): Judgement[] {
  if (policy === undefined) return [];
  const level = STEPS.findIndex((step) => step.policy === policy);
  const below = STEPS.slice(0, level < 0 ? STEPS.length : level);
  const risen = below.map((step) => over('policy_upgrade_ready', domain, step.policy));
  const step = STEPS[level];
  const messages = sum(window, (day) => day.messages);
  const passed = rate(
    sum(window, (day) => day.compliant),
    messages,
  );
  const hasValidRecord = dmarc !== undefined && dmarc.status !== 'error' && dmarc.policy !== null;
  const isReady = isEnoughToJudge({ reportDays: window.length, messages, hasValidRecord });
  if (!step || !isReady || passed < step.from) return risen;
  const message = eventTexts.ready({ domain, percent: passed, from: step.policy, to: step.next });
  return [...risen, holding('policy_upgrade_ready', { domain, parts: [domain, step.policy], message })];
}

function sum(days: readonly DayFigures[], figure: (day: DayFigures) => number): number {
  return days.reduce((total, day) => total + figure(day), 0);
}

import { keysOf, rate, type grades, type healthStates, present } from '@dmarc-ledger/vocabulary';
import { round } from './policy-strength.ts';

export type Grade = (typeof grades)[number]['code'];
export type HealthState = (typeof healthStates)[number]['code'];

/** Sums of messages in a window. */
export interface MessageSums {
  messages: number;
  compliant: number;
  spfPass: number;
  dkimPass: number;
}

/** Percentages with two decimals, and the score that follows from them. */
export interface Score {
  compliance: number;
  spf: number;
  dkim: number;
  /** 0 to 100. */
  policy: number;
  /** With two decimals. */
  score: number;
}

/** The share of each part in a score. */
export const WEIGHTS = { compliance: 0.4, policy: 0.2, dkim: 0.2, spf: 0.2 } as const;

/**
 * Compliance has the largest weight; SPF, DKIM and policy share the rest equally. The score uses the rounded rates, so
 * that users can verify it. The score of a locked domain takes its three rates as 100. (rules, scores/score;
 * scores/locked-domains)
 */
export function scoreOf(
  { messages, compliant, spfPass, dkimPass }: MessageSums,
  policy: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Score {
  const compliance = rate(compliant, messages);
  const spf = rate(spfPass, messages);
  const dkim = rate(dkimPass, messages);
  const own = { compliance, spf, dkim, policy };
  const counted = isLocked ? { compliance: 100, spf: 100, dkim: 100, policy } : own;
  const score = keysOf(WEIGHTS).reduce((sum, part) => sum + WEIGHTS[part] * counted[part], 0);
  return { ...own, score: round(score) };
}

const GRADES: readonly [least: number, grade: Grade][] = [
  [97, 'A+'],
  [93, 'A'],
  [90, 'A-'],
  [87, 'B+'],
  [83, 'B'],
  [80, 'B-'],
  [77, 'C+'],
  [73, 'C'],
  [70, 'C-'],
  [60, 'D'],
  [0, 'F'],
];

/** (rules, scores/grades) */
export function gradeOf(score: number, hasData: boolean): Grade {
  return hasData ? present(GRADES.find(([least]) => score >= least))[1] : 'N/A';
}

export function healthStateOf(score: number, hasData: boolean): HealthState {
  if (!hasData) return 'nodata';
  return score >= 90 ? 'secure' : score >= 70 ? 'warning' : 'critical';
}

/** A domain with a lower score needs attention. */
export const HEALTHY = 80;

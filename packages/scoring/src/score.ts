import { rate, type grades, type healthStates, present } from '@dmarc-ledger/vocabulary';
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

/**
 * Compliance has the largest weight; SPF, DKIM and policy share the rest equally. The score uses the rounded rates, so
 * that users can verify it. (rules, scores/score)
 */
export function scoreOf({ messages, compliant, spfPass, dkimPass }: MessageSums, policy: number): Score {
  const compliance = rate(compliant, messages);
  const spf = rate(spfPass, messages);
  const dkim = rate(dkimPass, messages);
  return { compliance, spf, dkim, policy, score: round(0.4 * compliance + 0.2 * spf + 0.2 * dkim + 0.2 * policy) };
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

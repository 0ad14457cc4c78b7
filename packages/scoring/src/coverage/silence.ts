/** On how many of the days that count a reporter has reported. */
export interface Rhythm {
  days: number;
  reportDays: number;
}

/** A silence whose chance is at most this is not taken for chance. */
export const IMPROBABLE = 0.05;

/**
 * The chance that a reporter with this rhythm is silent on each of the next `silent` days. The share of days on which
 * it reports is not known: before the first day every share is equally likely, and each day that counts is evidence.
 * The chance of one more silent day after j of them is (days - reportDays + 1 + j) / (days + 2 + j), Laplace's rule of
 * succession. (rules, coverage/chance-of-a-silence)
 */
export function chanceOfSilence({ days, reportDays }: Rhythm, silent: number): number {
  let chance = 1;
  for (let j = 0; j < silent; j += 1) chance *= (days - reportDays + 1 + j) / (days + 2 + j);
  return chance;
}

import { chanceOfSilence, IMPROBABLE, type Rhythm } from './silence.ts';

/** The days before a silence that show how often a reporter reports. */
export const RHYTHM_DAYS = 28;
/** A reporter is expected for so many days after its last report. */
export const EXPECTED_DAYS = 28;

/** What became of a day as a whole: reports count on it, none was expected, or one was expected and none came. */
export type DayState = 'reported' | 'quiet' | 'missing';

/**
 * The state of each day of a domain, by its own rhythm over calendar days: a domain without mail at weekends is quiet
 * then. (rules, coverage/days-without-reports)
 */
export function dayStates(hasReports: readonly boolean[]): DayState[] {
  const first = hasReports.indexOf(true);
  let last = -1;
  let rhythm: Rhythm = { days: 0, reportDays: 0 };
  return hasReports.map((has, day) => {
    if (has) {
      last = day;
      // the first day begins the history and is not part of it
      const shown = hasReports.slice(Math.max(first + 1, day + 1 - RHYTHM_DAYS), day + 1);
      rhythm = { days: shown.length, reportDays: shown.filter(Boolean).length };
      return 'reported';
    }
    const silent = day - last;
    const isMissing = last >= 0 && silent <= EXPECTED_DAYS && chanceOfSilence(rhythm, silent) <= IMPROBABLE;
    return isMissing ? 'missing' : 'quiet';
  });
}

/** The due days of a domain, with what is asked of them for each reporter. */
export interface Calendar {
  states: readonly DayState[];
  /** The days with a report from any reporter, ascending. */
  reported: readonly number[];
  /** For each day, how many days before it are `reported`, and how many are `missing`; one entry more than days. */
  reportedBefore: readonly number[];
  missingBefore: readonly number[];
}

export function calendarOf(states: readonly DayState[]): Calendar {
  return {
    states,
    reported: states.flatMap((state, day) => (state === 'reported' ? day : [])),
    reportedBefore: countBefore(states, (state) => state === 'reported'),
    missingBefore: countBefore(states, (state) => state === 'missing'),
  };
}

/** For each place in a list, how many entries before it fulfil a condition; one place more than the list has. */
export function countBefore<Entry>(entries: readonly Entry[], fulfils: (entry: Entry) => boolean): number[] {
  let count = 0;
  return [0, ...entries.map((entry) => (fulfils(entry) ? (count += 1) : count))];
}

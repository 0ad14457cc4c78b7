import { countBefore, EXPECTED_DAYS, RHYTHM_DAYS, type Calendar } from './day-states.ts';
import { chanceOfSilence, IMPROBABLE, type Rhythm } from './silence.ts';

/** The absence of a reporter is noticed if it is improbable after so many days. */
const NOTICED_DAYS = 7;

/**
 * On which days one reporter has reported, by the number of the day. Only days with any report show anything
 * about one reporter. (rules, coverage/expected-reporters)
 */
export class ReporterHistory {
  readonly #calendar: Calendar;
  readonly #messages: ReadonlyMap<number, number>;
  /** For each day, the last day before it with a report of this reporter; -1 if there is none. */
  readonly #before: readonly number[];
  /** For each of the days with reports, how many before it have one of this reporter. */
  readonly #hitsBefore: readonly number[];
  readonly #first: number;
  /** The last due day that it has reported about; -1 if there is none. */
  readonly last: number;

  /** @param messages the messages of its reports, by day, in order of the days */
  constructor(calendar: Calendar, messages: ReadonlyMap<number, number>) {
    this.#calendar = calendar;
    this.#messages = messages;
    let before = -1;
    this.#before = calendar.states.map((_, day) => {
      const known = before;
      if (messages.has(day)) before = day;
      return known;
    });
    this.last = before;
    this.#first = calendar.reported.find((day) => messages.has(day)) ?? calendar.states.length;
    this.#hitsBefore = countBefore(calendar.reported, (day) => messages.has(day));
  }

  hasReported(day: number): boolean {
    return this.#messages.has(day);
  }

  /** Whether a report was expected on a due day, by what was known before it. */
  isExpected(day: number): boolean {
    const before = this.#before[day] ?? -1;
    if (before < 0 || day - before > EXPECTED_DAYS || this.#calendar.states[day] === 'quiet') return false;
    const { reportedBefore, missingBefore } = this.#calendar;
    const silent = between(reportedBefore, before + 1, day + 1) + between(missingBefore, before + 1, day + 1);
    return chanceOfSilence(this.#rhythm(before), silent) <= IMPROBABLE;
  }

  /** The messages that a report about this day would have had. */
  messagesMissedOn(day: number): number {
    return this.#usualMessages(this.#before[day] ?? -1);
  }

  /** The messages that it used to bring on a day. */
  usualMessages(): number {
    return this.#usualMessages(this.last);
  }

  /** The days since its last report on which others reported. */
  silentDays(): number {
    const { reportedBefore, states } = this.#calendar;
    return this.last < 0 ? 0 : between(reportedBefore, this.last + 1, states.length);
  }

  /** The chance of that silence. */
  chanceOfSilenceNow(): number {
    return chanceOfSilence(this.#rhythm(this.last), this.silentDays());
  }

  /** True if there is a day that shows how often it reports. */
  hasRhythm(): boolean {
    return this.#rhythm(this.last).days > 0;
  }

  /** True if its absence would be noticed within a week. */
  isWatched(): boolean {
    return this.last >= 0 && chanceOfSilence(this.#rhythm(this.last), NOTICED_DAYS) <= IMPROBABLE;
  }

  #rhythm(until: number): Rhythm {
    const [begin, end] = this.#daysUntil(until);
    return { days: end - begin, reportDays: between(this.#hitsBefore, begin, end) };
  }

  /** The median of its reports, by the share of days on which it reports. */
  #usualMessages(until: number): number {
    const [begin, end] = this.#daysUntil(until);
    const days = this.#calendar.reported.slice(begin, end);
    const counts = days.flatMap((day) => this.#messages.get(day) ?? []).toSorted((a, b) => a - b);
    return days.length === 0 ? 0 : (median(counts) * counts.length) / days.length;
  }

  /** Of the days with reports, which show its rhythm: the last ones, after its own first day. */
  #daysUntil(until: number): [begin: number, end: number] {
    const { reportedBefore } = this.#calendar;
    const end = reportedBefore[until + 1] ?? 0;
    const afterFirst = reportedBefore[this.#first + 1] ?? end;
    return [Math.min(end, Math.max(afterFirst, end - RHYTHM_DAYS)), end];
  }
}

function between(countsBefore: readonly number[], begin: number, end: number): number {
  return (countsBefore[end] ?? 0) - (countsBefore[begin] ?? 0);
}

function median(ascending: readonly number[]): number {
  const middle = ascending.length >> 1;
  const upper = ascending[middle] ?? 0;
  return ascending.length % 2 === 1 ? upper : ((ascending[middle - 1] ?? 0) + upper) / 2;
}

import { confidenceOf, WIDEST } from './confidence.ts';
import type { Coverage, CoverageDay, CoverageDays, CoverageReporter, ReporterDay, ReporterFacts } from './coverage.ts';
import { calendarOf, dayStates, type DayState } from './day-states.ts';
import { isGenuine, knownReporter, type KnownReporter } from './known-reporter.ts';
import { silentReporters } from './silent-reporters.ts';

/** Judges how much reports show of a domain's mail in a window. (rules, coverage/days-without-reports) */
export function judgeCoverage(facts: readonly ReporterFacts[], days: CoverageDays): Coverage {
  const calendar = calendarOf(dayStates(daysWithReports(facts, days)));
  const known = facts.flatMap((reporter) => knownReporter(reporter, calendar, days) ?? []);
  const judged = windowDays(calendar.states, days);
  const totals = { passed: 0, doubtfulPassed: 0 };
  for (const reporter of facts)
    for (const reported of reporter.days) {
      const day = judged[reported.day - days.from];
      if (day) addReport(day, totals, reported);
    }
  for (const reporter of known) addExpectations(judged, reporter, days.from);
  const messages = sum(judged, ({ messages: all }) => all);
  const doubtful = sum(judged, ({ doubtful: some }) => some);
  const unseen = roundDays(judged);
  const silent = silentReporters(known, days, WIDEST.medium / 100);
  const silentNames = new Set(silent.map(({ name }) => name));
  const reporters = known.flatMap((reporter) => contribution(reporter, days, messages, silentNames) ?? []);
  const watched = sum(known, (reporter) => (reporter.history.isWatched() ? reporter.messages : 0));
  return {
    days: judged,
    reporters: reporters.toSorted((a, b) => b.messages - a.messages || (a.name < b.name ? -1 : 1)),
    silent,
    messages,
    passed: totals.passed,
    doubtful,
    unauthenticated: sum(judged, ({ unauthenticated }) => unauthenticated),
    conflicting: sum(judged, ({ conflicting }) => conflicting),
    dropped: sum(judged, ({ dropped }) => dropped),
    unseen,
    confidence: confidenceOf({
      sure: { messages: messages - doubtful, passed: totals.passed - totals.doubtfulPassed },
      doubtful,
      unseen,
      isWatched: 2 * watched >= messages,
    }),
  };
}

/** Which due days have a report from any reporter. An unauthenticated report shows nothing. */
function daysWithReports(facts: readonly ReporterFacts[], { notDue }: CoverageDays): boolean[] {
  const has = Array.from({ length: notDue }, () => false);
  for (const { days } of facts) for (const each of days) if (each.day < notDue && isGenuine(each)) has[each.day] = true;
  return has;
}

function windowDays(states: readonly DayState[], { from, count }: CoverageDays): CoverageDay[] {
  return Array.from({ length: count - from }, (_, index) => ({
    day: from + index,
    state: states[from + index] ?? 'not_due',
    reports: 0,
    messages: 0,
    reporters: 0,
    expected: 0,
    absent: 0,
    unauthenticated: 0,
    conflicting: 0,
    doubtful: 0,
    dropped: 0,
    unseen: 0,
  }));
}

function addReport(day: CoverageDay, totals: { passed: number; doubtfulPassed: number }, reported: ReporterDay): void {
  day.reports += reported.reports;
  day.messages += reported.messages;
  day.unauthenticated += reported.unauthenticated;
  day.conflicting += reported.conflicting;
  day.doubtful += reported.doubtful;
  day.dropped += reported.dropped;
  day.unseen += reported.droppedMessages;
  totals.passed += reported.passed;
  totals.doubtfulPassed += reported.doubtfulPassed;
}

function addExpectations(
  judged: readonly CoverageDay[],
  { history, expected, window }: KnownReporter,
  from: number,
): void {
  for (const { day } of window) {
    const judgedDay = judged[day - from];
    if (judgedDay && history.hasReported(day)) judgedDay.reporters += 1;
  }
  for (const day of expected) {
    const judgedDay = judged[day - from];
    if (!judgedDay) continue;
    judgedDay.expected += 1;
    if (history.hasReported(day)) continue;
    judgedDay.absent += 1;
    judgedDay.unseen += history.messagesMissedOn(day);
  }
}

/** What a reporter brings in the window; undefined if it neither reports nor is expected there. */
function contribution(
  { name, history, window, messages, reports, isAhead, expected }: KnownReporter,
  { notDue }: CoverageDays,
  all: number,
  silentNames: ReadonlySet<string>,
): CoverageReporter | undefined {
  if (window.length === 0 && expected.length === 0) return undefined;
  const absent = expected.filter((day) => !history.hasReported(day));
  const isAbsent = !isAhead && absent.at(-1) === notDue - 1;
  const present = isAbsent ? 'absent' : history.isWatched() ? 'reporting' : 'irregular';
  return {
    name,
    state: silentNames.has(name) ? 'silent' : present,
    reports,
    messages,
    share: all === 0 ? 0 : messages / all,
    reportDays: window.length,
    expectedDays: expected.length,
    absentDays: absent.length,
    last: Math.max(history.last, window.at(-1)?.day ?? -1),
  };
}

/**
 * Rounds the estimates of days, and returns their sum. What has added up is rounded, not each day: so the days add up
 * to the window, and small estimates are not lost in it.
 */
function roundDays(days: CoverageDay[]): number {
  let exact = 0;
  let rounded = 0;
  for (const day of days) {
    exact += day.unseen;
    day.unseen = whole(exact) - rounded;
    rounded += day.unseen;
  }
  return rounded;
}

/** An estimate as a whole number, which strangers may have made larger than any count. */
function whole(estimate: number): number {
  return Math.min(Math.round(estimate), Number.MAX_SAFE_INTEGER);
}

function sum<Entry>(entries: readonly Entry[], amount: (entry: Entry) => number): number {
  return entries.reduce((total, entry) => total + amount(entry), 0);
}

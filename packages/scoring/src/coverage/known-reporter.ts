import type { CoverageDays, ReporterDay, ReporterFacts } from './coverage.ts';
import type { Calendar } from './day-states.ts';
import { ReporterHistory } from './reporter-history.ts';

/** A named reporter with at least one report that is not unauthenticated. */
export interface KnownReporter {
  name: string;
  history: ReporterHistory;
  /** All its reports of the window. */
  window: readonly ReporterDay[];
  /** Their sums. */
  reports: number;
  messages: number;
  /** True if it has reported about a day that is not due yet. */
  isAhead: boolean;
  /** The days of the window on which it was expected. */
  expected: readonly number[];
}

export function knownReporter(
  { name, days }: ReporterFacts,
  calendar: Calendar,
  { from, notDue }: CoverageDays,
): KnownReporter | undefined {
  const genuine = days.filter(isGenuine);
  if (name === null || genuine.length === 0) return undefined;
  const messages = new Map(genuine.map((each) => [each.day, each.messages - each.unauthenticated]));
  const history = new ReporterHistory(calendar, messages);
  const due = Array.from({ length: Math.max(0, notDue - from) }, (_, index) => from + index);
  const window = days.filter(({ day }) => day >= from);
  return {
    name,
    history,
    window,
    reports: window.reduce((sum, each) => sum + each.reports, 0),
    messages: window.reduce((sum, each) => sum + each.messages, 0),
    expected: due.filter((day) => history.isExpected(day)),
    isAhead: genuine.some(({ day }) => day >= notDue),
  };
}

/** A report that anybody may have sent shows nothing about when its reporter reports. */
export function isGenuine({ reports, unauthenticatedReports }: ReporterDay): boolean {
  return reports > unauthenticatedReports;
}

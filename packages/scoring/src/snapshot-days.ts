import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** The facts that decide which snapshots to compute. */
export interface SnapshotDays {
  /** The first day with a report. */
  firstReportDay: Day;
  /** The newest stored snapshot. */
  last: Day | null;
  /** The earliest past day whose snapshot has changed since the last run. */
  changedFrom: Day | null;
  /** The earliest day that an import has added since the last run. */
  importedFrom: Day | null;
}

/** DMARC was published in January 2012: a report about an earlier day has a clock that is wrong. */
const FIRST_DAY_OF_DMARC = '2012-01-01';

/**
 * Returns the day of the first report that snapshots take as such: one mail, dated to the year 1, would else bring an
 * organization 740,000 of them. (rules, scores/snapshots)
 */
export function firstDayOfSnapshots(firstReportDay: Day): Day {
  return later(firstReportDay, FIRST_DAY_OF_DMARC);
}

/**
 * The first day whose snapshot is to be computed; all later days up to yesterday are computed too. No snapshot precedes
 * the first report. The result does not depend on the time of the call: what is final was decided when the reports
 * arrived. (rules, scores/snapshots)
 */
export function firstSnapshotDay({ firstReportDay, last, changedFrom, importedFrom }: SnapshotDays): Day {
  if (last === null) return firstReportDay;
  const days = [addDays(last, 1), changedFrom, importedFrom];
  return later(firstReportDay, days.filter((day) => day !== null).reduce(earlier));
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

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

import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** What is known before snapshots are computed. */
export interface SnapshotDays {
  /** The first day that has a report. */
  firstReportDay: Day;
  /** The newest snapshot that is held. */
  last: Day | null;
  /** The earliest past day whose snapshot has changed since the last time. */
  changedFrom: Day | null;
  /** The earliest that an import brought since. */
  importedFrom: Day | null;
}

/**
 * The first day whose snapshot is to be computed; all after it are as well, up to yesterday. None is computed before
 * the first report. When this is asked changes nothing: what was final was decided when the reports came.
 * (rules, scores/snapshots)
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

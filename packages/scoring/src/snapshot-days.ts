import { addDays, type Day } from '@dmarc-ledger/vocabulary';

/** What is known before snapshots are computed. */
export interface SnapshotDays {
  today: Day;
  /** The first day that has a report. */
  firstReportDay: Day;
  /** The newest snapshot that is held. */
  last: Day | null;
  /** The earliest past day whose reports changed since the last time. */
  changedFrom: Day | null;
  /** The earliest that an import brought since. */
  importedFrom: Day | null;
}

/** A closed day's snapshot takes reports in until four days after it began. */
const FINAL_AFTER_DAYS = 4;

/**
 * The first day whose snapshot is to be computed; all after it are as well, up to yesterday. None is computed before the
 * first report; one that is final only after an import. (domain-rules, 3.6)
 */
export function firstSnapshotDay({ today, firstReportDay, last, changedFrom, importedFrom }: SnapshotDays): Day {
  if (last === null) return firstReportDay;
  const open = addDays(today, 1 - FINAL_AFTER_DAYS);
  const days = [addDays(last, 1), changedFrom && later(changedFrom, open), importedFrom];
  return later(firstReportDay, days.filter((day) => day !== null).reduce(earlier));
}

function earlier(a: Day, b: Day): Day {
  return a < b ? a : b;
}

function later(a: Day, b: Day): Day {
  return a > b ? a : b;
}

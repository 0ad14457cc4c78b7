import type { Confidence } from './confidence.ts';
import type { DayState } from './day-states.ts';

/** The reports of one reporter about one day. */
export interface ReporterDay {
  /** The number of the day; 0 is the first day that is known. */
  day: number;
  reports: number;
  messages: number;
  passed: number;
  /** Of these, reports whose mail did not pass as the reporter. */
  unauthenticatedReports: number;
  /** Messages of such reports, of reports with conflicting copies, and of either. */
  unauthenticated: number;
  conflicting: number;
  doubtful: number;
  doubtfulPassed: number;
  /** Records that could not be counted; at most so many, as a record may lack several things. */
  dropped: number;
  /** An estimate of their messages: as many each as a record of the same report has on average. */
  droppedMessages: number;
}

/** A reporter with its reports, in order of the days. */
export interface ReporterFacts {
  /** Null: all reporters together that are too many to be judged one by one. */
  name: string | null;
  days: readonly ReporterDay[];
}

/** The days of a question: history first, then the window. */
export interface CoverageDays {
  /** The number of the first day of the window; the days before it are history. */
  from: number;
  /** The first day about which reports may still arrive. */
  notDue: number;
  /** The number of days, history included. */
  count: number;
}

/** How much the reports about one day show. */
export interface CoverageDay {
  day: number;
  state: DayState | 'not_due';
  reports: number;
  messages: number;
  /** Reporters that have reported, that were expected, and that were expected and are absent. */
  reporters: number;
  expected: number;
  absent: number;
  unauthenticated: number;
  conflicting: number;
  doubtful: number;
  dropped: number;
  /** An estimate of the messages of absent reporters and of dropped records. */
  unseen: number;
}

/** `absent`: it was expected on the last day that is due; `irregular`: its absence would not be noticed. */
export const reporterStates = ['reporting', 'absent', 'silent', 'irregular'] as const;
export type ReporterState = (typeof reporterStates)[number];

/** What one reporter contributes. */
export interface CoverageReporter {
  name: string;
  state: ReporterState;
  reports: number;
  messages: number;
  /** Share of the window's messages, 0 to 1. */
  share: number;
  reportDays: number;
  expectedDays: number;
  absentDays: number;
  /** The number of the last day with a report. */
  last: number;
}

/** A reporter that has fallen silent while others report. */
export interface SilentReporter {
  name: string;
  last: number;
  silentDays: number;
  /** Of its silence. */
  chance: number;
  /** The messages that it used to bring on a day, and their share of those of all reporters, 0 to 1. */
  usualMessages: number;
  share: number;
  isLarge: boolean;
}

export interface Coverage {
  days: CoverageDay[];
  /** Most messages first. */
  reporters: CoverageReporter[];
  /** The largest first. */
  silent: SilentReporter[];
  messages: number;
  passed: number;
  doubtful: number;
  unauthenticated: number;
  conflicting: number;
  dropped: number;
  /** Messages of absent reporters and of dropped records: an estimate. */
  unseen: number;
  confidence: Confidence;
}

import type { MeasuredReport } from '@dmarc-ledger/ledger';
import type { RecordClass } from '@dmarc-ledger/dmarc';
import { keysOf } from '@dmarc-ledger/vocabulary';

/** Records, messages, and messages by class. */
export interface Figures {
  rows: number;
  messages: number;
  classes: { [Name in RecordClass]: number };
}

/** What a replay has changed, or would change. */
export interface ReplaySummary {
  deliveries: {
    read: number;
    /** By how they had ended, and how they ended now. */
    endings: { from: string; to: string; deliveries: number }[];
    /** Deliveries whose bytes are gone: they stay as they are. */
    missing: { id: string; code: string; message: string }[];
    /** Deliveries that are read on the next day, as the records of this day are used up. */
    held: number;
  };
  /** Changed: its content differs. Rejudged: the content is the same, and its judgement differs. */
  reports: { added: number; changed: number; rejudged: number; removed: number; unchanged: number };
  /** Of these reports. */
  before: Figures;
  after: Figures;
}

export type ReportFate = keyof ReplaySummary['reports'];

export function noSummary(): ReplaySummary {
  return {
    deliveries: { read: 0, endings: [], missing: [], held: 0 },
    reports: { added: 0, changed: 0, rejudged: 0, removed: 0, unchanged: 0 },
    before: noFigures(),
    after: noFigures(),
  };
}

export function noFigures(): Figures {
  return { rows: 0, messages: 0, classes: { authenticated: 0, likely_forwarded: 0, suspicious: 0, needs_review: 0 } };
}

export function addFigures(
  sum: Figures,
  { rows, messages, classes }: Pick<MeasuredReport, 'rows' | 'messages' | 'classes'>,
): void {
  sum.rows += rows;
  sum.messages += messages;
  for (const name of keysOf(sum.classes)) sum.classes[name] += classes[name] ?? 0;
}

/** The number of deliveries that need no more waiting. */
export function doneOf({ deliveries: { read, missing, held } }: ReplaySummary): number {
  return read + missing.length + held;
}

export interface Ending {
  state: string;
  code: string | null;
}

export function addEnding({ deliveries }: ReplaySummary, before: Ending, after: Ending): void {
  const [from, to] = [endingText(before), endingText(after)];
  deliveries.read += 1;
  const same = deliveries.endings.find((ending) => ending.from === from && ending.to === to);
  if (same) same.deliveries += 1;
  else deliveries.endings.push({ from, to, deliveries: 1 });
}

function endingText({ state, code }: Ending): string {
  return code === null ? state : `${state} ${code}`;
}

/**
 * The outcome of a report, from its state before and after; a report whose id was made after the replay began is added.
 */
export function fateOf(
  before: MeasuredReport | undefined,
  after: MeasuredReport | undefined,
  begunAt: string,
): ReportFate {
  if (!after) return 'removed';
  if (!before) return after.id > begunAt ? 'added' : 'unchanged';
  if (before.facts !== after.facts) return 'changed';
  return before.judgement === after.judgement ? 'unchanged' : 'rejudged';
}

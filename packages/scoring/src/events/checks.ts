import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import type { Judgement } from './judgement.ts';

/** The newest finding about one subject. */
export interface CheckFact {
  status: string;
  details: string;
  hasRecord: boolean;
  records: readonly string[];
  policy: EffectivePolicy | null;
  /** Further facts; their type depends on the subject. */
  facts: unknown;
  /** False if the newest check had no answer; a verification state then stays what it was. */
  isAnswered: boolean;
  checkedAt: Date;
  /** When a check first found this status with these records. */
  changedAt: Date;
}

/** The last confirmed state, which the next change is compared with. Stored as JSON. */
export interface SeenRecords {
  /** `isLost`: it was verified before, and two checks agree that it is not. */
  states?: { [subject: string]: { state: string; badSince?: string; isLost?: true } };
  /** The last valid record, and the strength of its policy. */
  dmarc?: { text: string; strength: number; policy: EffectivePolicy };
  /** Weaker policies that were reported, each with the strength that ends it, and its message. */
  weakened?: { strength: number; until: number; message?: string }[];
  spf?: { text: string; faults: string[] };
  mx?: string[];
  /** Findings that count once a second check agrees: a hash of each, and when a check first had it. */
  doubted?: { [subject in Doubted]?: { finding: string; since: string } };
  mtaStsMode?: string;
  /** For BIMI and DANE: whether the record was valid at the last check, or has broken since. */
  bimi?: 'good' | 'broken' | 'bad';
  dane?: 'good' | 'broken' | 'bad';
}

/** Subjects whose bad findings need a second check; states remember theirs themselves. */
type Doubted = 'dmarc' | 'spf' | 'mx';

/** The judgements about one subject, and the state to remember for it. */
export interface Judged {
  judgements: Judgement[];
  seen: SeenRecords;
}

const APART_MS = 15 * 60_000;

/** True if two checks at least a quarter of an hour apart agree. (rules, events/second-check) */
export function isConfirmed({ checkedAt, changedAt }: Pick<CheckFact, 'checkedAt' | 'changedAt'>): boolean {
  return checkedAt.getTime() - changedAt.getTime() >= APART_MS;
}

/**
 * Whether a check agrees with an earlier one about a bad finding, and the state to remember for the next. Checks
 * without an answer in between change nothing. (rules, events/second-check)
 */
export function confirm(
  subject: Doubted,
  check: CheckFact,
  seen: SeenRecords,
): { isAgreed: boolean; doubtful: SeenRecords } {
  const { status, hasRecord, records, checkedAt, changedAt } = check;
  const finding = hashOf([status, String(hasRecord), ...records.toSorted()].join('\n'));
  const before = seen.doubted?.[subject];
  const since = before?.finding === finding ? before.since : changedAt.toISOString();
  return {
    isAgreed: isConfirmed({ checkedAt, changedAt: new Date(since) }),
    doubtful: { ...seen, doubted: { ...seen.doubted, [subject]: { finding, since } } },
  };
}

/** The state once a check has found something that needs no second one. */
export function undoubted(subject: Doubted, { doubted, ...seen }: SeenRecords): SeenRecords {
  const { [subject]: _, ...others } = doubted ?? {};
  return Object.keys(others).length === 0 ? seen : { ...seen, doubted: others };
}

/** The record's text without optional whitespace. */
export function bareText(records: readonly string[]): string {
  return records.join('\n').replace(/\s+/g, '');
}

/** A short hash of a text for use in a key: FNV-1a, 32 bits, computed twice with different offsets. */
export function hashOf(text: string): string {
  return [0x811c9dc5, 0x9dc5811c].map((begin) => fnv(text, begin).toString(16).padStart(8, '0')).join('');
}

function fnv(text: string, begin: number): number {
  let hash = begin;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

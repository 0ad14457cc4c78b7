import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import type { Judgement } from './judgement.ts';

/** What the newest check found about one subject. */
export interface CheckFact {
  status: string;
  details: string;
  hasRecord: boolean;
  records: readonly string[];
  policy: EffectivePolicy | null;
  /** What else it found; of which kind, the subject says. */
  facts: unknown;
  checkedAt: Date;
  /** When a check first found this status with these records. */
  changedAt: Date;
}

/** What was last seen and settled: what the next change is told from. JSON. */
export interface SeenRecords {
  states?: { [subject: string]: { state: string; badSince?: string } };
  /** The last valid record, and what its policy was worth. */
  dmarc?: { text: string; strength: number; policy: EffectivePolicy };
  /** Weaker policies that were told, each with the strength that ends it. */
  weakened?: { strength: number; until: number }[];
  spf?: { text: string; faults: string[] };
  mx?: string[];
  mtaStsMode?: string;
  /** Of BIMI and DANE: whether it was good last, or is broken since. */
  bimi?: 'good' | 'broken' | 'bad';
  dane?: 'good' | 'broken' | 'bad';
}

/** What judging one subject gives: also what is to be remembered of it. */
export interface Judged {
  judgements: Judgement[];
  seen: SeenRecords;
}

const APART_MS = 15 * 60_000;

/** Two checks, a quarter of an hour apart or more, agree. (rules, events/second-check) */
export function isConfirmed({ checkedAt, changedAt }: Pick<CheckFact, 'checkedAt' | 'changedAt'>): boolean {
  return checkedAt.getTime() - changedAt.getTime() >= APART_MS;
}

/** A record without the spaces that may be anywhere in it. */
export function bareText(records: readonly string[]): string {
  return records.join('\n').replace(/\s+/g, '');
}

/** A short name of a text, as a key holds it. FNV-1a, 32 bits, twice with different beginnings. */
export function hashOf(text: string): string {
  return [0x811c9dc5, 0x9dc5811c].map((begin) => fnv(text, begin).toString(16).padStart(8, '0')).join('');
}

function fnv(text: string, begin: number): number {
  let hash = begin;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

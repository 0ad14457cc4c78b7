import type { Enrichment } from '@dmarc-ledger/facts';
import {
  deservesFullCheck,
  judgeBlocklists,
  withStandingListings,
  type CheckScope,
  type KnownResult,
  type ListAnswers,
} from '@dmarc-ledger/sources';
import { nextLookup, type LookupEnd } from './next-lookup.ts';

/** What the lists answered; without answers, none is ever queried about the address. */
export interface ListFindings {
  scope: CheckScope;
  answers: ListAnswers | undefined;
  /** The stored results, as far as a listing is among them. */
  known?: readonly KnownResult[];
}

export interface FindingsContext {
  now: Date;
  /** Mail of the address, over all organizations. */
  volume: { messages: number; failing: number };
  /** From 0 to 1. */
  chance: number;
}

/** Whether there is a new verdict, and the results to store in place of the stored ones. */
export interface AppliedLists {
  isJudged: boolean;
  results?: readonly KnownResult[];
}

/**
 * Without any answer the last verdict stays, with its age, unless a listing has ended meanwhile; without a verdict
 * before, the row records that nothing was answered.
 */
export function applyLists(
  row: Enrichment,
  { scope, answers, known = [] }: ListFindings,
  { now, chance, volume }: FindingsContext,
): AppliedLists {
  if (!answers) {
    row.lists_due_at = nextLookup('lists', { kind: 'never' }, { row, tries: 0, now, chance });
    return { isJudged: false };
  }
  const current = withStandingListings(known, answers, now);
  const isAnswered = answers.results.some(({ status }) => status !== 'error');
  const isNew = row.lists_at === null && answers.results.length > 0;
  const isJudged = isAnswered || isNew || countListings(current) < countListings(known);
  row.lists_tries = isAnswered ? 0 : row.lists_tries + 1;
  if (isJudged) {
    const results = current.map(({ result }) => result);
    row.verdict = judgeBlocklists(results, scope, answers.suspended);
    row.list_scope = scope;
    row.lists_at = isAnswered ? now : null;
  }
  const end: LookupEnd = { kind: isAnswered ? 'answered' : 'failed' };
  const isWorthAll = deservesFullCheck(volume);
  row.lists_due_at = nextLookup('lists', end, { row, tries: row.lists_tries, isWorthAll, now, chance });
  return { isJudged, ...(isJudged ? { results: current } : markedOf(known, current)) };
}

function countListings(results: readonly KnownResult[]): number {
  return results.filter(({ result }) => result.status === 'listed').length;
}

/** The stored results with the time since which their listings are unconfirmed; none when they have it already. */
function markedOf(known: readonly KnownResult[], current: readonly KnownResult[]): { results?: KnownResult[] } {
  if (!known.some(({ result }) => result.status === 'listed' && !result.unconfirmed)) return {};
  const marked = new Map(current.map((one) => [one.result.list, one]));
  return { results: known.map((one) => (one.result.status === 'listed' ? (marked.get(one.result.list) ?? one) : one)) };
}

import type { Enrichment } from '@dmarc-ledger/facts';
import { checkAgainAfter, isUnlisted } from '@dmarc-ledger/sources';

/** How one kind of lookup ended: with an answer, without one, or refused until an instant. */
export type LookupEnd =
  | { kind: 'answered' }
  | { kind: 'failed' }
  | { kind: 'refused'; until: Date }
  | { kind: 'never' };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** An address that no report has mentioned for this long keeps its facts until one does. */
const DORMANT_AFTER = 14 * DAY;
const DORMANT = 30 * DAY;
const FIRST_RETRY = 10 * MINUTE;
const LAST_RETRY = DAY;
const REFUSED_TURN = 10 * MINUTE;
const REFUSED_TURNS = 10;
/**
 * The largest part by which a random number from 0 to 1 moves a time, so that lookups that began together spread out.
 */
const SPREAD = 0.2;

type Lookup = 'ptr' | 'lists' | 'abuse';

/** How long an answer is good for: shorter for a source that fails DMARC, or that is listed. */
const GOOD_FOR: { readonly [kind in Lookup]: { failing: number; passing: number } } = {
  ptr: { failing: DAY, passing: 7 * DAY },
  lists: { failing: DAY, passing: 3 * DAY },
  abuse: { failing: 3 * DAY, passing: 30 * DAY },
};
/** After the few lists that are queried first, all of them, within a day. */
const FULL_CHECK = 30 * MINUTE;

export interface LookupState {
  row: Pick<Enrichment, 'is_failing' | 'mentioned_at' | 'list_scope' | 'verdict'>;
  /** Consecutive failures, including this one. */
  tries: number;
  /** All lists are queried next. */
  isWorthAll?: boolean;
  now: Date;
  /** From 0 to 1. */
  chance: number;
}

/** When to look up again. */
export function nextLookup(kind: Lookup, end: LookupEnd, state: LookupState): Date {
  const { now, chance } = state;
  if (end.kind === 'refused') return new Date(end.until.getTime() + chance * turnWithin(end.until, state));
  const wait =
    end.kind === 'never' ? 365 * DAY : end.kind === 'failed' ? retryAfter(state.tries) : goodFor(kind, state);
  return new Date(now.getTime() + wait * (1 + SPREAD * chance));
}

/**
 * Whether the reputation service is asked. Also where no service has answered yet and the next lookup is further away
 * than any retry: earlier versions put it off for a year where no service was configured.
 */
export function isRatingDue(
  { abuse_due_at, abuse_source }: Pick<Enrichment, 'abuse_due_at' | 'abuse_source'>,
  now: Date,
): boolean {
  const wait = abuse_due_at.getTime() - now.getTime();
  return wait <= 0 || (abuse_source === null && wait > DORMANT);
}

/** Many wait when a budget is spent: those that fail DMARC come first once there is budget again, then the others. */
function turnWithin(until: Date, { row, now }: LookupState): number {
  const wait = Math.max(until.getTime() - now.getTime(), 0);
  return row.is_failing ? REFUSED_TURN : Math.max(REFUSED_TURN, REFUSED_TURNS * wait);
}

function retryAfter(tries: number): number {
  return Math.min(FIRST_RETRY * 2 ** Math.max(tries - 1, 0), LAST_RETRY);
}

function goodFor(kind: Lookup, { row, isWorthAll, now }: LookupState): number {
  if (kind === 'lists' && row.list_scope === 'ingest' && isWorthAll) return FULL_CHECK;
  if (now.getTime() - row.mentioned_at.getTime() > DORMANT_AFTER) return DORMANT;
  if (kind === 'lists' && row.verdict && !isUnlisted(row.verdict)) return checkAgainAfter(row.verdict);
  return GOOD_FOR[kind][row.is_failing ? 'failing' : 'passing'];
}

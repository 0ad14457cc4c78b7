import { printableText } from '@dmarc-ledger/vocabulary';
import { isEnforced, type Blocklist, type ListCategory, type ListingCode, type Tier } from './blocklist.ts';

/** The outcome of querying a list's zone for an address. */
export type ZoneAnswer =
  | { outcome: 'addresses'; addresses: readonly string[]; texts?: readonly string[] }
  | { outcome: 'nxdomain' | 'nodata' }
  /** Any failure: `servfail`, `refused`, `timeout`, … */
  | { outcome: 'failed'; failure: string };

export type ListStatus = 'listed' | 'clean' | 'error';

/** The result of one list for one address. */
export interface ListResult {
  /** Id of the list. */
  list: string;
  name: string;
  rank: number;
  status: ListStatus;
  /** True if the list can answer tier 3: receivers enforce it, and without its answer the evidence is thin. */
  enforced: boolean;
  /** For a listing: the highest tier among its codes, with that code's category and meaning. */
  tier?: Tier;
  category?: ListCategory;
  reason?: string;
  /** For a listing: the list's own text. */
  details?: string;
  delistUrl?: string;
  /** For an error: its cause. */
  failure?: string;
  /** For a listing that stands though its list is silent: since which check, and why. */
  unconfirmed?: { since: string; failure: string };
  /** Codes that this list is not known to return; they are logged. */
  unknownCodes?: string[];
}

const LOOPBACK = /^127\.\d+\.\d+\.\d+$/;
/** Bad query, open resolver, too many queries: a refusal from any list. */
const REFUSAL = /^127\.255\.255\.\d+$/;
/** Must not be listed (RFC 5782, section 5), so it means something else, unless the list defines it. */
const NOT_A_LISTING = '127.0.0.1';
const MAX_TEXT = 300;

/** Returns listed, clean, or an error. (rules, reputation/answers-of-a-list) */
export function interpretAnswer(list: Blocklist, answer: ZoneAnswer): ListResult {
  if (answer.outcome === 'failed') return failed(list, answer.failure);
  if (answer.outcome !== 'addresses') return result(list, 'clean');
  const { addresses, texts } = answer;
  const foreign = addresses.find((address) => !LOOPBACK.test(address));
  if (addresses.length === 0 || foreign) return failed(list, `answered ${foreign ?? 'nothing'}`);
  const refusal = addresses.find((address) => isRefusal(list, address));
  if (refusal) return failed(list, `refused with ${refusal}`);
  return list.codes ? byCodes(list, list.codes, addresses, texts) : listed(list, list, texts);
}

function isRefusal({ codes, cleanCodes, errorCodes }: Blocklist, address: string): boolean {
  if (REFUSAL.test(address) || errorCodes?.includes(address)) return true;
  const hasMeaning = cleanCodes?.includes(address) || codes?.some(({ code }) => code === address);
  return address === NOT_A_LISTING && !hasMeaning;
}

/**
 * Lists also use codes for replies other than listings: an unknown code is treated as such, unless a known one
 * accompanies it.
 */
function byCodes(
  list: Blocklist,
  codes: readonly ListingCode[],
  addresses: readonly string[],
  texts?: readonly string[],
): ListResult {
  const known = codes.filter(({ code }) => addresses.includes(code));
  const unknownCodes = addresses.filter(
    (address) => !list.cleanCodes?.includes(address) && !known.some(({ code }) => code === address),
  );
  const noted = unknownCodes.length > 0 ? { unknownCodes } : {};
  const tier = Math.max(...known.map((code) => code.tier));
  const gravest = known.filter((code) => code.tier === tier);
  if (gravest[0]) {
    const meaning = [...new Set(gravest.flatMap((code) => code.meaning ?? []))].join(', ');
    return { ...listed(list, { ...gravest[0], meaning }, texts), ...noted };
  }
  if (unknownCodes.length === 0) return result(list, 'clean');
  return { ...failed(list, `answered ${unknownCodes.join(', ')}`), ...noted };
}

/** The reason is the code's meaning, else the list's own text. */
function listed(
  list: Blocklist,
  { tier, category, meaning }: { tier: Tier; category: ListCategory; meaning?: string },
  texts: readonly string[] = [],
): ListResult {
  const details = printableText(texts.join(' ').trim(), MAX_TEXT);
  const reason = meaning || details;
  return {
    ...result(list, 'listed'),
    tier,
    category,
    ...(reason && { reason }),
    ...(details && { details }),
    ...(list.delistUrl && { delistUrl: list.delistUrl }),
  };
}

function failed(list: Blocklist, failure: string): ListResult {
  return { ...result(list, 'error'), failure };
}

function result(list: Blocklist, status: ListStatus): ListResult {
  return { list: list.id, name: list.name, rank: list.rank, status, enforced: isEnforced(list) };
}

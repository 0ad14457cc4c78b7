/** 0 unrecognised, 1 advisory, 2 an ordinary mail list, 3 widely enforced, 4 hijacked space or malware. */
export type Tier = 0 | 1 | 2 | 3 | 4;

/** The meaning of a listing. */
export const listCategories = [
  'hijacked',
  'malware_c2',
  'spam',
  'exploited',
  'policy',
  'network',
  'abuse',
  'tor',
  'backscatter',
  'other',
] as const;
export type ListCategory = (typeof listCategories)[number];

/** The meaning of one address in a list's answer. */
export interface ListingCode {
  /** `127.0.0.2` */
  code: string;
  tier: Tier;
  category: ListCategory;
  /** Name of the sublist, or what it lists. */
  meaning?: string;
}

/** How a zone shows that it works (RFC 5782, section 5). `bogons`: loopback space is always listed. */
export type SelfTest = 'rfc5782' | 'bogons';

/** Whether a list needs a key in its zone's name, or a registration of its user. */
export type KeyNeed = 'none' | 'registration' | 'optional' | 'required';

/** One list, which gives one row of a result, whatever it answers. */
export interface Blocklist {
  /** Stable, `[a-z0-9-]+`. */
  id: string;
  name: string;
  /** Its place among lists of the same tier, from 1. */
  rank: number;
  /** The zone for addresses of each family; a family without zone is not supported. A keyed name is a secret. */
  zone: { v4?: string; v6?: string };
  /** If set, only these are listings, `cleanCodes` are not, and all others are errors. The more specific code first. */
  codes?: readonly ListingCode[];
  cleanCodes?: readonly string[];
  /** Codes that mean no answer for this list, besides 127.255.255.0/24. */
  errorCodes?: readonly string[];
  /** The tier of any answer if there are no `codes`. */
  tier: Tier;
  category: ListCategory;
  /** Queried as soon as a report first mentions an address. */
  ingest: boolean;
  enabled: boolean;
  selfTest: SelfTest;
  key: KeyNeed;
  /** Name of the zone with `{key}` where the key belongs. */
  keyedZone?: string;
  /** Answers from a file of addresses that the operator updates, not from a zone. */
  isFeed?: boolean;
  /** Where a listing can be looked up or removed. */
  delistUrl?: string;
  /** The list's terms, in a sentence. */
  usage: string;
}

/** True if the list can answer tier 3: receivers enforce it, and without its answer the evidence is thin. */
export function isEnforced({ codes, tier }: Blocklist): boolean {
  return codes ? codes.some((code) => code.tier === 3) : tier === 3;
}

import type { Blocklist } from './blocklist.ts';
import type { ListResult } from './interpret-answer.ts';
import type { IpFamily } from './lists-to-ask.ts';

/** A test address that shows whether a zone works. `random`: a public one, another in each run. */
export interface Canary {
  address: string;
  expect: 'listed' | 'not_listed';
}

const loopback = {
  v4: { listed: '127.0.0.2', free: '127.0.0.1' },
  v6: { listed: '::ffff:7f00:2', free: '::ffff:7f00:1' },
};
/** Addresses that have been in use for as long as the lists. */
const inUse = { v4: '8.8.8.8', v6: '2001:4860:4860::8888' };

/**
 * The addresses of RFC 5782, section 5, and a random one. (rules, reputation/zone-tests) Loopback space is always a
 * bogon: in such lists, a public address must not be listed.
 */
export function canariesOf({ selfTest }: Blocklist, family: IpFamily): Canary[] {
  const free = selfTest === 'bogons' ? inUse[family] : loopback[family].free;
  const sure: Canary[] = [
    { address: loopback[family].listed, expect: 'listed' },
    { address: free, expect: 'not_listed' },
  ];
  return selfTest === 'bogons' ? sure : [...sure, { address: 'random', expect: 'not_listed' }];
}

/** The health of a zone. Only a `working` zone is queried and counted. */
export interface ZoneHealth {
  state: 'untested' | 'working' | 'suspended';
  /** Why it is suspended, in a sentence. */
  reason?: string;
  /** Set while it is suspended because it listed what no list may: what it listed before means nothing. */
  listsWrongly?: true;
  /** When it entered this state. */
  since: Date;
  /** Consecutive runs in which a random address was listed. */
  randomListings: number;
  /** Consecutive refusals since the last answer. */
  refusals: number;
  nextTestAt: Date;
}

const HOUR_MS = 3_600_000;
/** A suspended zone is tested again sooner, as the fault may have been ours. */
const RETEST_MS = 300_000;
/** One random address may be listed for good reason; three in a row are not. */
const RANDOM_LISTINGS = 3;
const REFUSALS = 5;

export function untestedZone(now: Date): ZoneHealth {
  return { state: 'untested', since: now, randomListings: 0, refusals: 0, nextTestAt: now };
}

/** Returns the health of a zone after a run of its tests. */
export function afterTest(health: ZoneHealth, answers: readonly TestAnswer[], now: Date): ZoneHealth {
  const isRandomListed = answers.some(
    ({ canary, result }) => canary.address === 'random' && result.status === 'listed',
  );
  const randomListings = isRandomListed ? health.randomListings + 1 : 0;
  const listsAny = randomListings >= RANDOM_LISTINGS;
  const fault = answers.map(faultOf).find((one) => one !== undefined);
  const reason = fault ?? (listsAny ? 'It lists any address.' : undefined);
  const listsWrongly = listsAny || answers.some(isWronglyListed) || health.listsWrongly === true;
  const isMarked = reason !== undefined && listsWrongly;
  return { ...moved(health, reason, now), ...(isMarked && { listsWrongly: true }), randomListings, refusals: 0 };
}

/** Returns the health of a zone after a regular query: one that keeps refusing is suspended until its next test. */
export function afterResult(health: ZoneHealth, { status, failure }: ListResult, now: Date): ZoneHealth {
  const isRefusal = status === 'error' && /refused/.test(failure ?? '');
  const refusals = isRefusal ? health.refusals + 1 : status === 'error' ? health.refusals : 0;
  if (health.state !== 'working' || refusals < REFUSALS)
    return refusals === health.refusals ? health : { ...health, refusals };
  return { ...moved(health, `It does not answer us: ${failure}.`, now), refusals };
}

interface TestAnswer {
  canary: Canary;
  result: ListResult;
}

function faultOf({ canary, result }: TestAnswer): string | undefined {
  if (canary.expect === 'listed' && result.status !== 'listed')
    return result.status === 'error'
      ? `It does not answer us: ${result.failure}.`
      : `It does not list ${canary.address}, as every working list does.`;
  return isWronglyListed({ canary, result }) ? `It lists ${canary.address}, which no list may.` : undefined;
}

function isWronglyListed({ canary, result }: TestAnswer): boolean {
  return canary.expect === 'not_listed' && canary.address !== 'random' && result.status === 'listed';
}

function moved(health: ZoneHealth, reason: string | undefined, now: Date): ZoneHealth {
  const state = reason === undefined ? 'working' : 'suspended';
  const since = state === health.state ? health.since : now;
  const nextTestAt = new Date(now.getTime() + (reason === undefined ? HOUR_MS : RETEST_MS));
  const { reason: _, listsWrongly: __, ...rest } = health;
  return { ...rest, state, since, nextTestAt, ...(reason !== undefined && { reason }) };
}

import {
  goneSince,
  judgeKeys,
  keyName,
  readKeptEvidence,
  type JudgedKey,
  type KeyFacts,
  type KeptKey,
  type RecentMail,
} from '@dmarc-ledger/dns-records';
import {
  countsStill,
  findEvidence,
  findHandedOver,
  findKeySenders,
  type KeySender,
  findPlacement,
  isNetwork,
  pairName,
  type Placement,
} from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, dayOf, type Day, rate } from '@dmarc-ledger/vocabulary';
import { findKnownDomain } from '../domains/known-domain.ts';
import { countOtherSelectors, findKeyUse, OTHERS_COUNTED, type KeyUse } from './key-use.ts';

/** The most keys of a domain that are returned, and the most whose senders are looked up. */
const KEYS = 100;
const WITH_SENDERS = 20;
const WINDOW_DAYS = 30;

/** A key with its use, what is published, and what follows. */
export interface DkimKeyRow extends KeyUse, JudgedKey {
  /** The share of the domain's messages of 30 days, 0 to 100. */
  share: number;
  /** Keys of senders (see `senderKey`), by the newest reports; empty for keys of little mail. */
  senders: string[];
  /** Undefined while no check of the last week had an answer for it. */
  published: KeptKey | undefined;
  placement: Placement[];
}

export interface DkimKeys {
  domain: string;
  /** When the keys were last read in the DNS; null before the first check. */
  readAt: Date | null;
  keys: DkimKeyRow[];
  total: number;
  /** Selectors of 90 days that never passed; `isAtLeast`: there may be more. */
  others: { selectors: number; isAtLeast: boolean };
}

/**
 * Returns the DKIM keys of a domain. Undefined for one that the organization neither monitors nor has reports about.
 * (rules, dkim-keys/which-keys)
 */
export async function findDkimKeys(
  db: Db,
  orgId: string,
  { domain, today, now }: { domain: string; today: Day; now: Date },
): Promise<DkimKeys | undefined> {
  const domainId = await findKnownDomain(db, orgId, domain);
  if (domainId === undefined) return undefined;
  const of = { orgId, domainId, today };
  const [use, others, mail, stored, placement] = await Promise.all([
    findKeyUse(db, of, KEYS),
    countOtherSelectors(db, of),
    sumRecentMail(db, of),
    findEvidence(db, orgId, domainId, ['dkim_keys']),
    findPlacement(db, orgId, domain, today),
  ]);
  const senders = await findKeySenders(db, of, use.rows.slice(0, WITH_SENDERS));
  const { dkim_keys: kept } = readKeptEvidence(stored);
  const read = (kept?.body ?? []).filter(({ readAt }) => countsStill(readAt, now));
  const published = new Map(read.map((key) => [keyName(key), key]));
  const carried = use.rows.map((key) => ({ ...key, goneSince: goneSince(published.get(keyName(key))) }));
  const handedOver = await findHandedOver(db, of, carried);
  const facts = use.rows.map((key, i) => ({
    ...factsOf(key, senders[i] ?? [], published.get(keyName(key))),
    isHandedOver: handedOver.has(pairName(key)),
  }));
  const judged = judgeKeys(facts, mail, today);
  const keys = use.rows.flatMap((key, i) => {
    const judgement = judged[i];
    if (!judgement) return [];
    const shown = placement.filter((row) => isAbout(row, key));
    const share = rate(Math.min(key.messages30, mail.messages), mail.messages);
    return {
      ...key,
      ...judgement,
      share,
      senders: (senders[i] ?? []).map(({ sender }) => sender),
      published: published.get(keyName(key)),
      placement: shown,
    };
  });
  const isAtLeast = others >= OTHERS_COUNTED;
  return { domain, readAt: kept?.readAt ?? null, keys, total: use.total, others: { selectors: others, isAtLeast } };
}

function factsOf(
  key: KeyUse,
  senders: readonly KeySender[],
  kept: KeptKey | undefined,
): Omit<KeyFacts, 'isHandedOver'> {
  const published = kept && { ...kept, since: dayOf(Math.floor(kept.since / 1_000)) };
  return { ...key, services: servicesOf(senders), published };
}

/** The services that may hold the key: what only forwarded signed mail cannot replace it. */
function servicesOf(senders: readonly KeySender[]): string[] {
  return senders.flatMap(({ sender, mayHoldKey }) => (mayHoldKey && !isNetwork(sender) ? [sender] : []));
}

/** Providers report on a selector, or on all of a domain together. */
function isAbout({ dkimDomain, dkimSelector }: Placement, { domain, selector }: KeyUse): boolean {
  return dkimDomain === domain && dkimSelector.toLowerCase() === selector;
}

async function sumRecentMail(
  db: Db,
  { orgId, domainId, today }: { orgId: string; domainId: string; today: Day },
): Promise<RecentMail> {
  return await db
    .selectFrom('domain_day')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('messages'), eb.val(0)).as('messages'),
      eb.fn.countAll<number>().filterWhere('reports', '>', 0).as('reportDays'),
    ])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>', addDays(today, -WINDOW_DAYS))
    .where('day', '<=', today)
    .executeTakeFirstOrThrow();
}

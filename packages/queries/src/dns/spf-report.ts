import {
  costOf,
  faultOf,
  judgeSpf,
  ownMessagesOf,
  passesAnybody,
  readKeptEvidence,
  termsOf,
  type PlacedTerm,
  type ReturnPath,
  type SpfAdvice,
  type SpfSender,
  type SpfTree,
  type TermUse,
} from '@dmarc-ledger/dns-records';
import { countsStill, findChecks, findEvidence, lastAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { findKnownDomain } from '../domains/known-domain.ts';
import { isOwn } from './own-address.ts';
import { findReturnPaths } from './return-paths.ts';
import { findSharedUse } from './shared-spf.ts';
import { countOwnDays, findSpfAddresses, SPF_DAYS, sumSpfWindow, type SpfAddress } from './spf-mail.ts';

/** An address that sends as the domain. */
export type SpfSenderRow = SpfAddress & SpfSender;

/** The SPF record of a domain with everything that it refers to, and the mail that needs it. */
export interface SpfReport {
  domain: string;
  from: Day;
  to: Day;
  messages: number;
  /** The finding of a check of the last week. */
  check: StoredCheck | undefined;
  /** True if a check has run, however long ago. */
  isChecked: boolean;
  /** When the tree was read; null before the first check. */
  readAt: Date | null;
  tree: SpfTree | undefined;
  terms: (PlacedTerm & { use: TermUse })[];
  lookups: number;
  voids: number;
  /** How many addresses send as the domain. */
  senders: number;
  /** Those of them that no term authorises; none by a tree that was read a week ago. */
  absent: SpfSenderRow[];
  advice: SpfAdvice;
}

const NO_TREE: SpfTree = { domain: '', record: null, terms: [], isComplete: true };
const NOT_USED: TermUse = { addresses: 0, messages: 0, needed: 'unknown' };

/**
 * Returns what is known of a domain's SPF record. Undefined for a domain that the organization neither monitors nor has
 * reports about. Nothing is asked: the newest check has stored it.
 */
export async function findSpf(
  db: Db,
  orgId: string,
  { domain, today, now }: { domain: string; today: Day; now: Date },
): Promise<SpfReport | undefined> {
  const domainId = await findKnownDomain(db, orgId, domain);
  if (domainId === undefined) return undefined;
  const of = { orgId, domainId, today };
  const [stored, checks, sums] = await Promise.all([
    findEvidence(db, orgId, domainId, ['spf_tree']),
    findChecks(db, orgId, domainId),
    sumSpfWindow(db, of),
  ]);
  const kept = readKeptEvidence(stored).spf_tree;
  const isKnown = kept !== undefined && countsStill(kept.readAt, now);
  const tree = kept ? { ...kept.body, isComplete: isKnown && kept.body.isComplete } : NO_TREE;
  const cost = costOf(tree.terms);
  // mail fails by such a record though a term names its address, so a failure proves nothing about the terms
  const isEvery = faultOf(tree.terms) !== undefined;
  // beside +all a pass says nothing of the name that it is for
  const isMissing = tree.terms.some(passesAnybody) ? isOurs : isMissingHere;
  const [addresses, shared] = await Promise.all([
    findSpfAddresses(db, { ...of, isEvery }),
    findSharedUse(db, { ...of, domain, isEvery }),
  ]);
  const own = addresses.filter(isOwn);
  const returnPaths = await findReturnPaths(db, { ...of, domain }, own.filter(isMissing).map(addressOf));
  const senders = own.map((address) => withSender(address, returnPaths.get(address.address)));
  const ownDays = await countOwnDays(db, of, senders.filter(sendsAsUs));
  const { uses, absent, advice } = judgeSpf(tree, { senders, ownDays, isCurrent: sums.isCurrent, shared });
  const newest = checks.find(({ subject }) => subject === 'spf');
  return {
    domain,
    from: addDays(today, 1 - SPF_DAYS),
    to: today,
    messages: sums.messages,
    check: lastAnswer(newest, now),
    isChecked: newest !== undefined,
    readAt: kept?.readAt ?? null,
    tree: kept && tree,
    terms: termsOf(tree).map((placed) => ({ ...placed, use: uses.get(placed.id) ?? NOT_USED })),
    ...cost,
    senders: senders.filter(sendsAsUs).length,
    absent: !isKnown || tree.record === null ? [] : absent.filter(sendsAsUs),
    advice,
  };
}

function sendsAsUs(sender: SpfSenderRow): boolean {
  return ownMessagesOf(sender) > 0;
}

/** True for an address of a sender that was decided to be ours, and that the record may have to name. */
function isMissingHere(address: SpfAddress): boolean {
  return isOurs(address) && 2 * address.spfPass < address.messages;
}

function isOurs({ decision }: SpfAddress): boolean {
  return decision === 'ours';
}

function addressOf({ address }: SpfAddress): string {
  return address;
}

function withSender(address: SpfAddress, returnPath: ReturnPath | undefined): SpfSenderRow {
  return { ...address, isOurs: isOurs(address), isService: address.slug !== null, returnPath };
}

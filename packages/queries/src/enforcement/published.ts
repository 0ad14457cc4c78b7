import { publicSuffixDomains, type PolicyPublished } from '@dmarc-ledger/dmarc';
import {
  isBroken,
  organizationalDomainOf,
  readDmarcRecord,
  readTagList,
  type DmarcRecord,
} from '@dmarc-ledger/dns-records';
import type { AppliedPolicy } from '@dmarc-ledger/enforcement';
import { countsStill, lastAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import { fieldsOf } from '@dmarc-ledger/vocabulary';

/** What a domain publishes, by the newest check of the DNS, or by the newest report. */
export interface Published {
  policy: AppliedPolicy;
  /** The tags of the record that applies; undefined where no check has read one. */
  tags: ReadonlyMap<string, string> | undefined;
  record: DmarcRecord | undefined;
  /** The name whose record applies, if that is another domain. */
  inheritedFrom: string | null;
  /** Whether names below follow a record above instead of the own one; undefined where no check has found that. */
  isBelow?: boolean | undefined;
  /** True if a check has read the record, or found that there is none. */
  isRead: boolean;
}

const organizationalDomain = publicSuffixDomains();
const UNPUBLISHED: AppliedPolicy = { p: null, sp: null, np: null, adkim: null, aspf: null, isPartly: false };

/**
 * What a check has read within a week; undefined if none has read a valid record, or found that there is none. A record
 * that is gone has no policy, whatever reports still say. A check without an answer changes neither.
 */
export function publishedByCheck(newest: StoredCheck | undefined, now: Date): Published | undefined {
  const check = lastAnswer(newest, now);
  if (check?.status === 'error' && !check.has_record)
    return {
      policy: { ...UNPUBLISHED, fault: 'none' },
      tags: undefined,
      record: undefined,
      inheritedFrom: null,
      isRead: true,
    };
  const isFresh = check?.policy_read_at && countsStill(check.policy_read_at, now);
  const text = isFresh && check.records.length === 1 ? check.records[0] : undefined;
  if (text === undefined) return undefined;
  const record = readDmarcRecord(text);
  if (isBroken(record)) return undefined;
  const { tags } = readTagList(text);
  const inheritedFrom = check?.inherited_from ?? null;
  const policy = readPolicy(record, tags, inheritedFrom !== null);
  const { isBelow } = fieldsOf(check?.facts);
  const below = typeof isBelow === 'boolean' ? { isBelow } : {};
  return { policy, tags, record, inheritedFrom, isRead: true, ...below };
}

/** True if what stands in the DNS is no valid record, by a check of the last week: several, or one that is broken. */
export function isBrokenByCheck(newest: StoredCheck | undefined, now: Date): boolean {
  const check = lastAnswer(newest, now);
  return check?.status === 'error' && check.has_record;
}

/** What the newest report says; `isBroken`: see `isBrokenByCheck`. */
export function publishedByReport(reported: PolicyPublished | undefined, isBroken = false): Published {
  const policy = reported ? reportedPolicy(reported) : UNPUBLISHED;
  const fault = isBroken ? { fault: 'broken' as const } : {};
  return { policy: { ...policy, ...fault }, tags: undefined, record: undefined, inheritedFrom: null, isRead: false };
}

/** An inherited record has one policy for the domain and for all below it: that for subdomains. */
function readPolicy(record: DmarcRecord, tags: ReadonlyMap<string, string>, isInherited: boolean): AppliedPolicy {
  return {
    p: isInherited ? (record.sp ?? record.p) : record.p,
    sp: isInherited ? null : (record.sp ?? null),
    np: record.np ?? null,
    adkim: modeOf(tags.get('adkim')),
    aspf: modeOf(tags.get('aspf')),
    isPartly: record.t || record.pct < 100,
  };
}

function reportedPolicy({ p, sp, np, adkim, aspf, testing, pct }: PolicyPublished): AppliedPolicy {
  return { p, sp, np, adkim, aspf, isPartly: testing === 'y' || (pct !== null && pct < 100) };
}

function modeOf(value: string | undefined): 'r' | 's' {
  return value?.toLowerCase() === 's' ? 's' : 'r';
}

/**
 * The same with where the domain stands: below its organizational domain, or not. Above an own record the check has
 * looked for another; where it has not, a name below the suffix list's organizational domain counts as below.
 */
export function markBelow(published: Published, domain: string): Published {
  const isBelow = isBelowOf(published, domain);
  const below = { isBelow: isBelow ?? true, ...(isBelow === undefined && { isBelowAssumed: true }) };
  return { ...published, policy: { ...published.policy, ...below } };
}

function isBelowOf({ record, inheritedFrom, isBelow }: Published, domain: string): boolean | undefined {
  if ((organizationalDomain(domain) ?? domain) === domain) return false;
  if (record && inheritedFrom !== null)
    return organizationalDomainOf(domain, [{ at: inheritedFrom, record }]) !== domain;
  return record?.psd === 'n' ? false : isBelow;
}

/** Returns the selectors of a domain itself with a published key, from the facts of a stored DKIM check. */
export function publishedSelectors(domain: string, facts: unknown): string[] {
  return (Array.isArray(facts) ? facts : []).flatMap((fact) => {
    const key = fieldsOf(fact);
    const isPublished = key['domain'] === domain && key['kind'] !== 'absent' && key['kind'] !== 'unconfirmed';
    return isPublished && typeof key['selector'] === 'string' ? [key['selector']] : [];
  });
}

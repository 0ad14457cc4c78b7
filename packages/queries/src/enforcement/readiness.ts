import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import {
  isBroken,
  organizationalDomainOf,
  readDmarcRecord,
  readUnauthorizedNote,
  type DmarcRecord,
} from '@dmarc-ledger/dns-records';
import { judgeReadiness, type ReadinessItem, type TreeWalk } from '@dmarc-ledger/enforcement';
import { findChecks, lastAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { findDomainId } from '../domains/totals.ts';
import type { Published } from './published.ts';

const organizationalDomain = publicSuffixDomains();

/** Judges by stored checks what RFC 9989 changes for a domain. (rules, enforcement/readiness) */
export async function enforcementReadiness(
  db: Db,
  orgId: string,
  { domain, domainId, policy, tags, record, inheritedFrom }: Published & { domain: string; domainId: string },
  now: Date,
): Promise<ReadinessItem[]> {
  const suffixDomain = organizationalDomain(domain) ?? domain;
  const [checks, parent] = await Promise.all([
    findChecks(db, orgId, domainId),
    suffixDomain === domain ? undefined : findParent(db, orgId, suffixDomain),
  ]);
  const check = checks.find(({ subject }) => subject === 'dmarc');
  const notes = lastAnswer(check, now)?.notes ?? [];
  return judgeReadiness({
    domain,
    tags,
    inheritedFrom,
    suffixDomain,
    isBelow: policy.isBelow === true,
    walk: treeWalk({
      domain,
      suffixDomain,
      applied: record && { at: inheritedFrom ?? domain, record },
      parent: lastAnswer(parent, now),
    }),
    sized: (record?.rua ?? []).filter(({ hasSize }) => hasSize).map(({ text }) => text),
    unauthorized: notes.flatMap((note) => readUnauthorizedNote(note) ?? []),
  });
}

interface Applied {
  at: string;
  record: Pick<DmarcRecord, 'psd'>;
}

interface Seen {
  domain: string;
  suffixDomain: string;
  applied: Applied | undefined;
  /** The check of the domain by the suffix list, where the organization has that domain too. */
  parent: StoredCheck | undefined;
}

/** What the tree walk finds, as far as stored checks show it. (RFC 9989, 4.10.2) */
function treeWalk({ domain, suffixDomain, applied, parent }: Seen): TreeWalk | undefined {
  if (applied === undefined) return undefined;
  const goesOn = applied.at === domain && domain !== suffixDomain && applied.record.psd === 'u';
  if (goesOn && (parent === undefined || parent.status === 'unknown')) return undefined;
  const above = goesOn && parent ? appliedAt(suffixDomain, parent) : undefined;
  const found = [applied, ...(above ? [above] : [])];
  const { at, record } = above ?? applied;
  return {
    organizationalDomain: organizationalDomainOf(domain, found),
    ...(record.psd !== 'u' && { endsAt: { name: at, psd: record.psd } }),
  };
}

/** The one valid record that a check has read; undefined where none applies. */
function appliedAt(domain: string, { records, inherited_from }: StoredCheck): Applied | undefined {
  const [text, ...more] = records;
  const record = text !== undefined && more.length === 0 ? readDmarcRecord(text) : undefined;
  return record && !isBroken(record) ? { at: inherited_from ?? domain, record } : undefined;
}

async function findParent(db: Db, orgId: string, name: string): Promise<StoredCheck | undefined> {
  const id = await findDomainId(db, orgId, name);
  if (id === undefined) return undefined;
  return (await findChecks(db, orgId, id)).find(({ subject }) => subject === 'dmarc');
}

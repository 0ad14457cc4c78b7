import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { readUnauthorizedNote } from '@dmarc-ledger/dns-records';
import { judgeReadiness, type ReadinessItem } from '@dmarc-ledger/enforcement';
import { findChecks, type StoredCheck } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { findDomainId } from '../domains/totals.ts';
import type { Published } from './published.ts';

const organizationalDomain = publicSuffixDomains();

/** Judges by stored checks what RFC 9989 changes for a domain. (rules, enforcement/readiness) */
export async function enforcementReadiness(
  db: Db,
  orgId: string,
  { domain, domainId, tags, record, inheritedFrom }: Published & { domain: string; domainId: string },
): Promise<ReadinessItem[]> {
  const suffixDomain = organizationalDomain(domain) ?? domain;
  const [checks, parent] = await Promise.all([
    findChecks(db, orgId, domainId),
    suffixDomain === domain ? undefined : findParent(db, orgId, suffixDomain),
  ]);
  const notes = checks.find(({ subject }) => subject === 'dmarc')?.notes ?? [];
  return judgeReadiness({
    domain,
    tags,
    inheritedFrom,
    suffixDomain,
    walkDomain: walkDomain({ domain, suffixDomain, tags, inheritedFrom, parent }),
    sized: (record?.rua ?? []).filter(({ hasSize }) => hasSize).map(({ text }) => text),
    unauthorized: notes.flatMap((note) => readUnauthorizedNote(note) ?? []),
  });
}

interface Walk extends Pick<Published, 'tags' | 'inheritedFrom'> {
  domain: string;
  suffixDomain: string;
  /** The check of the domain by the suffix list, where the organization has that domain too. */
  parent: StoredCheck | undefined;
}

/** What the tree walk finds, as far as stored checks show it. (RFC 9989, 4.10.2) */
function walkDomain({ domain, suffixDomain, tags, inheritedFrom, parent }: Walk): string | undefined {
  if (inheritedFrom !== null) return inheritedFrom;
  if (tags === undefined) return undefined;
  if (tags.get('psd')?.toLowerCase() === 'n' || domain === suffixDomain) return domain;
  if (parent === undefined || parent.status === 'unknown') return undefined;
  return parent.has_record && parent.inherited_from === null ? suffixDomain : domain;
}

async function findParent(db: Db, orgId: string, name: string): Promise<StoredCheck | undefined> {
  const id = await findDomainId(db, orgId, name);
  if (id === undefined) return undefined;
  return (await findChecks(db, orgId, id)).find(({ subject }) => subject === 'dmarc');
}

import { readKeptEvidence, type NameAnswers } from '@dmarc-ledger/dns-records';
import { findEvidence } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import type { Protocol } from '@dmarc-ledger/vocabulary';

export type { NameAnswers } from '@dmarc-ledger/dns-records';

/** Returns what each name server answered the newest check about a protocol; null before the first check. */
export async function findServerAnswers(
  db: Db,
  orgId: string,
  domainId: string,
  protocol: Protocol,
): Promise<{ answers: NameAnswers[]; readAt: Date } | null> {
  const { name_servers: kept } = readKeptEvidence(await findEvidence(db, orgId, domainId, ['name_servers']));
  return kept ? { answers: kept.body[protocol] ?? [], readAt: kept.readAt } : null;
}

import { findExpiringKeys, findNearQuota, findUnread, keepConditions } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { repeatEvery } from '@dmarc-ledger/vocabulary';

const EVERY_MS = 30_000;

export interface OrganizationWatch {
  database: Database;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

/**
 * Watches the conditions of whole organizations: their keys, their quota, and documents that could not be read. Any
 * number may run.
 */
export async function watchOrganizations(
  { database, everyMs = EVERY_MS, onFault }: OrganizationWatch,
  signal: AbortSignal,
): Promise<void> {
  const onError = (error: unknown) => onFault('The watch over organizations failed.', error);
  await repeatEvery({ everyMs, onError }, signal, () => lookAtOrganizations(database));
}

/** Checks every organization once. */
export async function lookAtOrganizations(database: Database): Promise<void> {
  const { db } = database;
  await keepConditions(database, 'unread', () => findUnread(db));
  await keepConditions(database, 'keys', () => findExpiringKeys(db));
  await keepConditions(database, 'quota', () => findNearQuota(db));
}

import type { Db } from '@dmarc-ledger/schema';
import { comparableAddress, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Whether an organization holds the bundled samples. */
export async function holdsSamples(db: Db, orgId: string): Promise<boolean> {
  const found = await db.selectFrom('organization').select('has_samples').where('id', '=', orgId).executeTakeFirst();
  return found?.has_samples === true;
}

/** Marks an organization as the one of the bundled samples. */
export async function markSamples(db: Db, orgId: string): Promise<void> {
  await db.updateTable('organization').set({ has_samples: true }).where('id', '=', orgId).execute();
}

/**
 * Returns the organization that a person owns beside the samples, and creates it for an owner of samples. Undefined for
 * anybody else who owns none.
 */
export async function ownOrganization(db: Db, email: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select own_organization(${comparableAddress(email)}, ${newId()}::uuid, ${newId()}::uuid) as id`.execute(db);
  return rows[0]?.id ?? undefined;
}

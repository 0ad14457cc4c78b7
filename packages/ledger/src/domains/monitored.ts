import type { Db } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { endMonitoring } from '../events/end-monitoring.ts';

export interface MonitoredOptions {
  tlsrpt?: boolean;
  forensic?: boolean;
  aprf?: boolean;
}

/**
 * Monitors a domain at a user's request. A domain that reports had added before has both sources from then on. (rules,
 * organizations/monitored-domains)
 */
export async function addDomain(
  db: Db,
  orgId: string,
  name: string,
  { tlsrpt = false, forensic = false, aprf = false }: MonitoredOptions,
) {
  return await db
    .insertInto('domain')
    .values({
      org_id: orgId,
      id: newId(),
      name,
      source: 'manual',
      tlsrpt_enabled: tlsrpt,
      forensic_enabled: forensic,
      aprf_enabled: aprf,
    })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'name']).doUpdateSet((eb) => ({
        monitored: true,
        check_due_at: sql<Date>`now()`,
        tlsrpt_enabled: tlsrpt,
        forensic_enabled: forensic,
        aprf_enabled: aprf,
        source: eb
          .case()
          .when('domain.source', '=', 'manual')
          .then('manual' as const)
          .else('both' as const)
          .end(),
      })),
    )
    .returning(['id', 'name', 'source'])
    .executeTakeFirstOrThrow();
}

/**
 * Stops monitoring a domain and keeps its reports; its open events end. No report has it monitored again, as one does
 * for a domain that a purge has dropped. Returns false if it was not monitored.
 */
export async function removeDomain(db: Db, orgId: string, name: string): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const removed = await trx
      .updateTable('domain')
      .set({ monitored: false, left_at: null })
      .where('org_id', '=', orgId)
      .where('name', '=', name)
      .where('monitored', '=', true)
      .returning('id')
      .execute();
    await endMonitoring(
      { db: trx },
      orgId,
      removed.map(({ id }) => id),
    );
    await sql`update org_total set changes = changes + 1 where org_id = ${orgId}`.execute(trx);
    return removed.length > 0;
  });
}

/** Finds a monitored domain by its name. */
export async function findMonitored(db: Db, orgId: string, name: string): Promise<{ id: string } | undefined> {
  return await db
    .selectFrom('domain')
    .select('id')
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .where('monitored', '=', true)
    .executeTakeFirst();
}

/** Finds the id of a domain by its name, monitored or not. */
export async function findDomainId(db: Db, orgId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('domain')
    .select('id')
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id;
}

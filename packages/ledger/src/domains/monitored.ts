import type { Db } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

export interface MonitoredOptions {
  tlsrpt?: boolean;
  forensic?: boolean;
  aprf?: boolean;
}

/**
 * Monitors a domain at a user's request, and ends the answers that are kept without it. A domain that has reports has
 * both sources from then on. (rules, organizations/monitored-domains)
 */
export async function addDomain(
  db: Db,
  orgId: string,
  name: string,
  { tlsrpt = false, forensic = false, aprf = false }: MonitoredOptions,
) {
  return await db
    .with('noted', (apart) =>
      apart
        .updateTable('org_total')
        .set((eb) => ({ changes: eb('changes', '+', 1) }))
        .where('org_id', '=', orgId),
    )
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
        left_at: null,
        check_due_at: sql<Date>`now()`,
        tlsrpt_enabled: tlsrpt,
        forensic_enabled: forensic,
        aprf_enabled: aprf,
        source: eb
          .case()
          .when(eb.or([eb('domain.source', '=', 'manual'), eb('domain.left_at', 'is not', null)]))
          .then('manual' as const)
          .else('both' as const)
          .end(),
      })),
    )
    .returning(['id', 'name', 'source'])
    .executeTakeFirstOrThrow();
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

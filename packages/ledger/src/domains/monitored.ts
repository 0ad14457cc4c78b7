import type { Db } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** The reports that are expected of a domain; what is left out stays as it is, and is off for a new domain. */
export interface MonitoredOptions {
  tlsrpt?: boolean | undefined;
  forensic?: boolean | undefined;
  aprf?: boolean | undefined;
}

/**
 * Monitors a domain at a user's request, and ends the answers that are kept without it. A domain that has reports has
 * both sources from then on. (rules, organizations/monitored-domains)
 */
export async function addDomain(db: Db, orgId: string, name: string, { tlsrpt, forensic, aprf }: MonitoredOptions) {
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
      tlsrpt_enabled: tlsrpt ?? false,
      forensic_enabled: forensic ?? false,
      aprf_enabled: aprf ?? false,
    })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'name']).doUpdateSet((eb) => ({
        monitored: true,
        left_at: null,
        check_due_at: sql<Date>`now()`,
        ...(tlsrpt !== undefined && { tlsrpt_enabled: tlsrpt }),
        ...(forensic !== undefined && { forensic_enabled: forensic }),
        ...(aprf !== undefined && { aprf_enabled: aprf }),
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

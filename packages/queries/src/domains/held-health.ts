import { readHealthBody, type DomainHealthBody } from '@dmarc-ledger/facts';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A stored health. */
export interface HeldHealth {
  body: DomainHealthBody;
  computedAt: Date;
  /** True if nothing has changed since it was computed. */
  isCurrent: boolean;
}

export async function findHealth(db: Db, orgId: string, domain: string): Promise<HeldHealth | undefined> {
  const row = await db
    .selectFrom('domain as d')
    .innerJoin('domain_health as h', (join) =>
      join.onRef('h.org_id', '=', 'd.org_id').onRef('h.domain_id', '=', 'd.id'),
    )
    .select([
      'h.body',
      'h.computed_at',
      sql<boolean>`not d.health_planned and d.health_due_at > now() + interval '30 seconds'`.as('is_current'),
    ])
    .where('d.org_id', '=', orgId)
    .where('d.name', '=', domain)
    .where('d.monitored', '=', true)
    .executeTakeFirst();
  if (!row) return undefined;
  const body = readHealthBody(row.body as DomainHealthBody); // the column is only written from a DomainHealthBody
  return { body, computedAt: row.computed_at, isCurrent: row.is_current };
}

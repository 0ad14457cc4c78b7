import type { Db } from '@dmarc-ledger/schema';
import { hourBegin, type KeyScope } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Hours since 1970-01-01 00:00 UTC, both included. */
export interface HourRange {
  from: number;
  to: number;
}

export interface UsageSums {
  /** Begin of the hour or day in UTC. */
  start: Date;
  requests: number;
  rejected: number;
  errors: number;
}

/** Returns the usage of the organization's keys, by hour or by day; those without any are missing. */
export async function findUsage(db: Db, orgId: string, range: HourRange, by: 'hour' | 'day'): Promise<UsageSums[]> {
  return await db
    .selectFrom('usage_hour')
    .select((eb) => [
      sql<Date>`date_trunc(${by}, hour)`.as('start'),
      eb.fn.sum<number>('requests').as('requests'),
      eb.fn.sum<number>('rejected').as('rejected'),
      eb.fn.sum<number>('errors').as('errors'),
    ])
    .where('org_id', '=', orgId)
    .where('hour', '>=', hourBegin(range.from))
    .where('hour', '<=', hourBegin(range.to))
    .groupBy('start')
    .execute();
}

export interface KeyUsage {
  id: string;
  prefix: string;
  name: string;
  scope: Exclude<KeyScope, 'ingest'>;
  revoked: boolean;
  lastUsedAt: Date | null;
  requests: number;
}

/** Returns the organization's API keys, most requests first; revoked ones only if they made any. */
export async function findKeyUsage(db: Db, orgId: string, range: HourRange): Promise<KeyUsage[]> {
  const rows = await db
    .with('made', (with_) =>
      with_
        .selectFrom('usage_hour')
        .select((eb) => ['key_id', eb.fn.sum<number>('requests').as('requests')])
        .where('org_id', '=', orgId)
        .where('hour', '>=', hourBegin(range.from))
        .where('hour', '<=', hourBegin(range.to))
        .groupBy('key_id'),
    )
    .selectFrom('api_key as key')
    .leftJoin('made', 'made.key_id', 'key.id')
    .select((eb) => [
      'key.id',
      'key.prefix',
      'key.name',
      'key.scope',
      'key.revoked_at',
      'key.last_used_at',
      eb.fn.coalesce('made.requests', sql.lit(0)).as('requests'),
    ])
    .where('key.org_id', '=', orgId)
    .where('key.scope', '<>', 'ingest')
    .$narrowType<{ scope: KeyUsage['scope'] }>()
    .where((eb) => eb.or([eb('key.revoked_at', 'is', null), eb('made.requests', '>', 0)]))
    .orderBy('requests', 'desc')
    .orderBy('key.id', 'asc')
    .execute();
  return rows.map(({ revoked_at, last_used_at, ...row }) => ({
    ...row,
    revoked: revoked_at !== null,
    lastUsedAt: last_used_at,
  }));
}

/** Returns the stored number of an organization's requests in an hour. */
export async function findRequests(db: Db, orgId: string, hour: number): Promise<number> {
  const { requests } = await db
    .selectFrom('usage_hour')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('requests'), sql.lit(0)).as('requests'))
    .where('org_id', '=', orgId)
    .where('hour', '=', hourBegin(hour))
    .executeTakeFirstOrThrow();
  return requests;
}

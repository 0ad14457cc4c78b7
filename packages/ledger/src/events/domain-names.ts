import type { Db } from '@dmarc-ledger/schema';
import type { SeenName } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { findKnownSelectors } from '../domains/known-selectors.ts';

const NAMES = { days: 7, limit: 1_000 };

/** Returns subdomains that were first seen recently, and known selectors. */
export async function findNewNames(
  db: Db,
  orgId: string,
  domainId: string,
  today: Day,
): Promise<{ subdomains: SeenName[]; selectors: SeenName[] }> {
  const since = addDays(today, -NAMES.days);
  const { rows: subdomains } = await sql<SeenName>`
    select array[name] as parts, first_day::text as "firstDay", day::text as day, messages from sending_subdomain
    where org_id = ${orgId} and domain_id = ${domainId} and first_day > ${since}::date
    order by messages desc limit ${NAMES.limit}`.execute(db);
  const known = await findKnownSelectors(db, orgId, domainId, { today, limit: NAMES.limit });
  const selectors = known
    .filter(({ firstDay }) => firstDay > since)
    .map(({ domain, selector, firstDay, lastDay, messages }) => ({
      parts: [domain, selector],
      firstDay,
      day: lastDay,
      messages,
    }));
  return { subdomains, selectors };
}

/**
 * Returns the sender of the first report about a domain; undefined if there is none, empty if the report does not name
 * one.
 */
export async function findFirstReporter(db: Db, orgId: string, domainId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('report')
    .select('reporter_name')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .orderBy('received_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && (row.reporter_name ?? '');
}

/** Returns the keys of a domain's conditions that hold. */
export async function findOpenConditions(
  db: Db,
  orgId: string,
  domain: string,
): Promise<Map<string, { eventId: string; raisedAt: Date }>> {
  const rows = await db
    .selectFrom('event_condition')
    .select(['key', 'event_id as eventId', 'raised_at as raisedAt'])
    .where('org_id', '=', orgId)
    .where('domain', '=', domain)
    .where('holds', '=', true)
    .execute();
  return new Map(rows.map(({ key, ...condition }) => [key, condition]));
}

import type { Db } from '@dmarc-ledger/schema';
import type { SeenName } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { DAYS_KEPT } from '../domains/selectors.ts';

const NAMES = { days: 7, limit: 1_000 };

/** Returns messages signed in the last 7 days, by `signer/selector`. Deletes entries that are too old to matter. */
export async function findSigned(db: Db, orgId: string, domainId: string, today: Day): Promise<Map<string, number>> {
  const { rows } = await sql<{ pair: string; messages: number }>`
    select signer || '/' || selector as pair, sum(messages)::bigint as messages from dkim_selector_day
    where org_id = ${orgId} and domain_id = ${domainId} and day > ${addDays(today, -7)}::date and day <= ${today}::date
    group by signer, selector order by 2 desc limit ${NAMES.limit}`.execute(db);
  await sql`delete from dkim_selector_day where org_id = ${orgId} and domain_id = ${domainId}
    and day < ${addDays(today, -DAYS_KEPT)}::date`.execute(db);
  return new Map(rows.map(({ pair, messages }) => [pair, messages]));
}

/** Returns subdomains and keys that were first seen recently. */
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
  const { rows: selectors } = await sql<SeenName>`
    select array[signer, selector] as parts, first_day::text as "firstDay", last_day::text as day, messages from dkim_selector
    where org_id = ${orgId} and domain_id = ${domainId} and first_day > ${since}::date
    order by messages desc limit ${NAMES.limit}`.execute(db);
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

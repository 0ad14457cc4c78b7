import type { Db } from '@dmarc-ledger/schema';
import { rememberedForEver } from '@dmarc-ledger/scoring';
import { sql } from 'kysely';
import { firstIdAt } from '../intake/first-id.ts';

/** Data that is neither an aggregate report nor a delivery: it is in no rollup, so its rows are simply deleted. */
export interface RemovedOthers {
  tlsrpt: number;
  aprf: number;
  failureReports: number;
  events: number;
  eventConditions: number;
  domainChanges: number;
  selectors: number;
  subdomains: number;
  usageHours: number;
}

export type OtherKind = keyof RemovedOthers;

type Query = ReturnType<typeof sql>;

/** Rows in one statement. */
const ROWS = 500;

/** Which rows of a kind are due; an id begins with the instant at which its row was made. */
const DUE: {
  [Kind in OtherKind]: { table: string; key: string[]; children?: string; where: (before: Date) => Query };
} = {
  tlsrpt: { table: 'tlsrpt_report', key: ['id'], children: 'tlsrpt_failure', where: isOldReport },
  aprf: { table: 'aprf_report', key: ['id'], children: 'aprf_row', where: isOldReport },
  failureReports: { table: 'failure_report', key: ['id'], where: isOldReport },
  events: {
    table: 'event',
    key: ['id'],
    // most events that are raised once never end
    where: (before) => sql`${isOld(before)} and (coalesce(resolved_at, acknowledged_at) < ${before}
      or resolved_at is null and id not in (select event_id from event_condition c where c.org_id = event.org_id
        and holds))`,
  },
  // ended conditions that would be raised again; conditions raised only once are kept
  eventConditions: {
    table: 'event_condition',
    key: ['key'],
    where: (before) => sql`not holds and type <> all(${rememberedForEver}::text[])
      and greatest(raised_at, false_since, ends_at) < ${before}`,
  },
  domainChanges: { table: 'domain_check_change', key: ['domain_id', 'id'], where: (before) => sql`at < ${before}` },
  selectors: {
    table: 'dkim_selector',
    key: ['domain_id', 'signer', 'selector'],
    where: (before) => isOfNoReport('dkim_selector', 'last_day', before),
  },
  subdomains: {
    table: 'sending_subdomain',
    key: ['domain_id', 'name'],
    where: (before) => isOfNoReport('sending_subdomain', 'day', before),
  },
  usageHours: { table: 'usage_hour', key: ['hour', 'key_id'], where: (before) => sql`hour < ${before}` },
};

function isOld(before: Date): Query {
  return sql`id < ${firstIdAt(before)}::uuid`;
}

/** A replay makes the row of a report again: its delivery, whose id says when it was received, has the age. */
function isOldReport(before: Date): Query {
  return sql`(${isOld(before)} or message_id < ${firstIdAt(before)}::uuid)`;
}

/**
 * Names that reports have brought: anybody can invent any number of them. Those go that were last seen before the
 * instant, and before the oldest day of which reports about the domain are left: an import of old reports keeps its
 * own.
 */
function isOfNoReport(table: string, lastDay: string, before: Date): Query {
  const [seen, name] = [sql.ref(`${table}.${lastDay}`), sql.table(table)];
  return sql`${seen} < (${before} at time zone 'utc')::date and ${seen} < coalesce((
    select min(day) from domain_day d
    where d.org_id = ${name}.org_id and d.domain_id = ${name}.domain_id and d.reports > 0), 'infinity')`;
}

/** Removes some rows of a kind older than an instant. Returns how many; zero when none is left. */
export async function removeOthers(db: Db, orgId: string, kind: OtherKind, before: Date): Promise<number> {
  const { table, key, children, where } = DUE[kind];
  const keys = sql.join(key.map((column) => sql.ref(column)));
  const { rows } = await sql<{ removed: number }>`
    with picked as (
      select ${keys} from ${sql.table(table)} where org_id = ${orgId}
        and ${where(before)} limit ${ROWS} for update skip locked
    ), gone as (
      delete from ${sql.table(table)} where org_id = ${orgId} and (${keys}) in (select ${keys} from picked) returning 1
    )
    ${children ? sql`, rows_of as (delete from ${sql.table(children)} where org_id = ${orgId} and report_id in (select id from picked))` : sql``}
    select count(*) as removed from gone`.execute(db);
  return rows[0]!.removed;
}

export async function countOthers(db: Db, orgId: string, kind: OtherKind, before: Date): Promise<number> {
  const { table, where } = DUE[kind];
  const { rows } = await sql<{ due: number }>`
    select count(*) as due from ${sql.table(table)} where org_id = ${orgId} and ${where(before)}`.execute(db);
  return rows[0]!.due;
}

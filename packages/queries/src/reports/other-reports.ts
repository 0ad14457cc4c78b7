import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

export interface OtherFilter {
  /** An exact, normalized name. */
  domain?: string;
  limit: number;
}

/** Returns reports on TLS sessions, newest day first. */
export async function findTlsReports(db: Db, orgId: string, { domain, limit }: OtherFilter) {
  let query = db
    .selectFrom('tlsrpt_report')
    .select(['id', 'reporter_name', 'report_id', 'day', 'domains', 'successes', 'failures', 'warnings', 'received_at'])
    .where('org_id', '=', orgId);
  if (domain !== undefined) query = query.where(sql<boolean>`${domain} = any(domains)`);
  return await query.orderBy('day', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Returns reports on single failures, newest first. They are redacted. */
export async function findFailureReports(db: Db, orgId: string, { domain, limit }: OtherFilter) {
  let query = db
    .selectFrom('failure_report')
    .select([
      'id',
      'reported_domain',
      sql<string | null>`host(source_ip)`.as('source_ip'),
      'arrived_at',
      'incidents',
      'auth_failure',
      'delivery_result',
      'mail_from_domain',
      'dkim_domains',
      'warnings',
      'received_at',
    ])
    .where('org_id', '=', orgId);
  if (domain !== undefined) query = query.where('reported_domain', '=', domain);
  return await query.orderBy('received_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

interface FailureFilter {
  /** An exact, normalized name. */
  domain?: string | undefined;
  /** The first and last day. */
  from?: Day;
  to?: Day;
}

/** Returns one page of the reports on single failures that came in on these days, newest first, and their number. */
export async function findFailurePage(
  db: Db,
  orgId: string,
  { domain, from, to }: FailureFilter,
  page: { limit: number; offset: number },
) {
  let matching = db.selectFrom('failure_report').where('org_id', '=', orgId);
  if (from !== undefined)
    matching = matching.where('received_at', '>=', sql<Date>`${from}::timestamp at time zone 'UTC'`);
  if (to !== undefined)
    matching = matching.where('received_at', '<', sql<Date>`(${to}::date + 1)::timestamp at time zone 'UTC'`);
  if (domain !== undefined) matching = matching.where('reported_domain', '=', domain);
  const [{ total }, rows] = await Promise.all([
    matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    matching
      .select(['id', 'reported_domain', 'arrived_at', 'incidents', 'auth_failure', 'delivery_result'])
      .select(['mail_from_domain', 'dkim_domains', 'received_at', 'message_id'])
      .select(sql<string | null>`host(source_ip)`.as('source_ip'))
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
  ]);
  return { rows, total };
}

export type FailureRow = Awaited<ReturnType<typeof findFailurePage>>['rows'][number];

import type { Db } from '@dmarc-ledger/schema';
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

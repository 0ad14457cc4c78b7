import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { hasDomain, isOfDomain, MOST_SESSIONS, sessionsOf } from './tls-sessions.ts';

/** What TLS reports of these days say: sessions by day, and failures by policy domain and cause. */
export interface TlsSums {
  days: { day: Day; successes: number; failures: number }[];
  causes: { domain: string; cause: string; receiver: string; sessions: number; reports: number; newest: Day }[];
}

const MOST_CAUSES = 200;

/** Sums what the TLS reports of these days say of all domains, or of one: of a report about several its part alone. */
export async function sumTlsReports(
  db: Db,
  orgId: string,
  { domain, from, to }: { domain?: string | undefined; from: Day; to: Day },
): Promise<TlsSums> {
  const within = sql`r.org_id = ${orgId} and r.day between ${from} and ${to} and ${hasDomain(domain)}`;
  const [days, causes] = await Promise.all([
    sql<TlsSums['days'][number]>`
      select r.day, least(sum(s.successes), ${MOST_SESSIONS})::bigint as successes,
        least(sum(s.failures), ${MOST_SESSIONS})::bigint as failures
      from tlsrpt_report r cross join lateral (${sessionsOf(domain)}) s
      where ${within} group by r.day order by r.day`.execute(db),
    sql<TlsSums['causes'][number]>`
      select coalesce(f.domain, '') as domain, coalesce(f.result_type, '') as cause,
        coalesce(f.receiving_host, '') as receiver,
        least(sum(coalesce(f.sessions, 0)), ${MOST_SESSIONS})::bigint as sessions, count(distinct r.id) as reports,
        max(r.day) as newest
      from tlsrpt_report r join tlsrpt_failure f on f.org_id = r.org_id and f.report_id = r.id
      where ${within} and ${isOfDomain(domain)}
      group by 1, 2, 3 order by sessions desc, domain, cause, receiver limit ${MOST_CAUSES}`.execute(db),
  ]);
  return { days: days.rows, causes: causes.rows };
}

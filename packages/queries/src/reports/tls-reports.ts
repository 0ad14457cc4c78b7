import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** What TLS reports of these days say: sessions by day, and failures by policy domain and cause. */
export interface TlsSums {
  days: { day: Day; successes: number; failures: number }[];
  causes: { domain: string; cause: string; receiver: string; sessions: number; reports: number; newest: Day }[];
}

const MOST_CAUSES = 200;
/** At most this is summed, as of one session count, however many reports exaggerate. */
export const MOST_SESSIONS = Number.MAX_SAFE_INTEGER;

/** Sums the TLS reports of an organization from a day on, of one domain or of all. */
export async function sumTlsReports(
  db: Db,
  orgId: string,
  { domain, from, to }: { domain?: string | undefined; from: Day; to: Day },
): Promise<TlsSums> {
  const ofDomain = domain === undefined ? sql`true` : sql`${domain} = any(r.domains)`;
  const within = sql`r.org_id = ${orgId} and r.day between ${from} and ${to} and ${ofDomain}`;
  const [days, causes] = await Promise.all([
    sql<TlsSums['days'][number]>`
      select r.day, least(sum(r.successes), ${MOST_SESSIONS})::bigint as successes,
        least(sum(r.failures), ${MOST_SESSIONS})::bigint as failures
      from tlsrpt_report r where ${within} group by r.day order by r.day`.execute(db),
    sql<TlsSums['causes'][number]>`
      select coalesce(f.domain, '') as domain, coalesce(f.result_type, '') as cause,
        coalesce(f.receiving_host, '') as receiver,
        least(sum(coalesce(f.sessions, 0)), ${MOST_SESSIONS})::bigint as sessions, count(distinct r.id) as reports,
        max(r.day) as newest
      from tlsrpt_report r join tlsrpt_failure f on f.org_id = r.org_id and f.report_id = r.id
      where ${within} group by 1, 2, 3 order by sessions desc, domain, cause, receiver limit ${MOST_CAUSES}`.execute(
      db,
    ),
  ]);
  return { days: days.rows, causes: causes.rows };
}

import { type Db, inSnapshot } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { hasDomain, isOfDomain, MOST_SESSIONS, sessionsOf } from './tls-sessions.ts';

/** Which days, and of which domain; of a report about several its part alone. */
export interface TlsFilter {
  /** An exact, normalized name. */
  domain?: string | undefined;
  from: Day;
  to: Day;
}

/** What TLS reports say of the sessions of a day. */
export interface TlsDay {
  day: Day;
  successes: number;
  failures: number;
}

/** Failed sessions of one policy domain for one cause. */
export interface TlsCauseSum {
  domain: string;
  cause: string;
  receiver: string;
  sessions: number;
  reports: number;
  newest: Day;
}

/** Sums the sessions that TLS reports count, by day. */
export async function findTlsDays(db: Db, orgId: string, filter: TlsFilter): Promise<TlsDay[]> {
  const { rows } = await sql<TlsDay>`
    select r.day, least(sum(s.successes), ${MOST_SESSIONS})::bigint as successes,
      least(sum(s.failures), ${MOST_SESSIONS})::bigint as failures
    from tlsrpt_report r cross join lateral (${sessionsOf(filter.domain)}) s
    where ${within(orgId, filter)} group by r.day order by r.day`.execute(db);
  return rows;
}

/** Returns one page of the causes of failed sessions, those with most sessions first, and their number. */
export async function findTlsCauses(
  reads: Db,
  orgId: string,
  filter: TlsFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: TlsCauseSum[]; total: number }> {
  const failures = sql`
    select r.id, r.day, coalesce(f.domain, '') as domain, coalesce(f.result_type, '') as cause,
      coalesce(f.receiving_host, '') as receiver, coalesce(f.sessions, 0) as sessions
    from tlsrpt_report r join tlsrpt_failure f on f.org_id = r.org_id and f.report_id = r.id
    where ${within(orgId, filter)} and ${isOfDomain(filter.domain)}`;
  return await inSnapshot(reads, async (db) => {
    const [counted, { rows }] = await Promise.all([
      sql<{ total: number }>`
        select count(*) as total from (select distinct domain, cause, receiver from (${failures}) f) causes`.execute(
        db,
      ),
      sql<TlsCauseSum>`
        select domain, cause, receiver, least(sum(sessions), ${MOST_SESSIONS})::bigint as sessions,
          count(distinct id) as reports, max(day) as newest
        from (${failures}) f group by domain, cause, receiver
        order by sessions desc, domain, cause, receiver limit ${page.limit} offset ${page.offset}`.execute(db),
    ]);
    return { rows, total: counted.rows[0]!.total };
  });
}

function within(orgId: string, { domain, from, to }: TlsFilter) {
  return sql`r.org_id = ${orgId} and r.day between ${from} and ${to} and ${hasDomain(domain)}`;
}

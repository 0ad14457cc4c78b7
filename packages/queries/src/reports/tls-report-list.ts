import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { hasDomain, isOfDomain, MOST_SESSIONS, sessionsOf } from './tls-sessions.ts';

/** A cause of failed sessions as `findTlsCauses` lists it: an empty text stands for what the report did not name. */
export interface TlsCause {
  domain: string;
  cause: string;
  receiver: string;
}

/** Which TLS reports: of these days, and where they are given with policies of that domain, or with that failure. */
export interface TlsReportFilter {
  /** An exact, normalized name. */
  domain?: string | undefined;
  failure?: TlsCause | undefined;
  /** The first and last day. */
  from?: Day;
  to?: Day;
}

export interface TlsReportRow {
  id: string;
  day: Day;
  reporter_name: string | null;
  domains: string[];
  /** Sessions of the domain that is asked for, otherwise of all. */
  successes: number;
  /** Failed sessions: of the failure that is asked for, otherwise all of that domain. */
  failures: number;
  received_at: Date;
}

/** Returns one page of the TLS reports of an organization, newest day first, and their number. */
export async function findTlsReportPage(
  db: Db,
  orgId: string,
  { domain, failure, from, to }: TlsReportFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: TlsReportRow[]; total: number }> {
  const failed = failure === undefined ? sql`select s.failures as sessions` : sumOf(failure, domain);
  const matching = sql`
    from tlsrpt_report r cross join lateral (${sessionsOf(failure?.domain ?? domain)}) s
      cross join lateral (${failed}) f
    where r.org_id = ${orgId} and ${isWithin(from, to)} and ${hasDomain(domain)}`;
  const [counted, { rows }] = await Promise.all([
    sql<{ total: number }>`select count(*) as total ${matching}`.execute(db),
    sql<TlsReportRow>`
      select r.id, r.day, r.reporter_name, r.domains, s.successes, f.sessions as failures, r.received_at ${matching}
      order by r.day desc, r.id desc limit ${limit} offset ${offset}`.execute(db),
  ]);
  return { rows, total: counted.rows[0]!.total };
}

function isWithin(from: Day | undefined, to: Day | undefined) {
  return sql`${from === undefined ? sql`true` : sql`r.day >= ${from}`}
    and ${to === undefined ? sql`true` : sql`r.day <= ${to}`}`;
}

/** The failed sessions of a report with that cause; no row where it has none, or none of the domain asked for. */
function sumOf({ domain, cause, receiver }: TlsCause, asked: string | undefined) {
  return sql`
    select least(sum(coalesce(f.sessions, 0)), ${MOST_SESSIONS})::bigint as sessions from tlsrpt_failure f
    where f.org_id = r.org_id and f.report_id = r.id and ${isOfDomain(domain)} and ${isOfDomain(asked)}
      and coalesce(f.result_type, '') = ${cause} and coalesce(f.receiving_host, '') = ${receiver}
    having count(*) > 0`;
}

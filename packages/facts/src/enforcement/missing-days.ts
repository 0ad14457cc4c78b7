import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

interface DaysQuestion {
  orgId: string;
  from: Day;
  to: Day;
  domainIds: readonly string[];
}

/** A job stores a day within minutes of its first report, so a domain that lacks so few is up to date. */
const USUAL_DAYS = 3;
/** Up to so many addresses on such days, the records are read within a request. */
const MOST_ADDRESSES = 10_000;

/**
 * Returns which of these domains wait for a job to store what became of the mail of their days, as after an upgrade or
 * an import: monitored ones that lack many days, if the records of these days are too many to be read in a request.
 * (rules, enforcement/verdict)
 */
export async function findDomainsToCompute(
  db: Db,
  { orgId, from, to, domainIds }: DaysQuestion,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    with missing as materialized (
      select d.domain_id as id, d.day, count(*) over (partition by d.domain_id) as days
      from domain n join domain_day d on d.org_id = ${orgId} and d.domain_id = n.id
        and d.day between ${from}::date and ${to}::date and d.reports > 0
      where n.org_id = ${orgId} and n.monitored and n.id = any(${domainIds}::uuid[])
        and not exists (select from enforcement_day e where e.org_id = ${orgId} and e.domain_id = d.domain_id
          and e.day = d.day)
    ), late as materialized (select id, day from missing where days > ${USUAL_DAYS}::integer),
    many as materialized (
      select count(*) > ${MOST_ADDRESSES}::integer as are_many from (
        select from late l cross join lateral (
          select from source_domain_day x where x.org_id = ${orgId} and x.domain_id = l.id and x.day = l.day offset 0) x
        limit ${MOST_ADDRESSES + 1}) read
    )
    select distinct id from late where (select are_many from many)`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

import type { Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';

/**
 * The policy of a domain's newest report up to today, as a subquery with at most one row; a report without an end is
 * the oldest. (rules, scores/effective-policy) Each part ends with the first row of the index by end that is not dated
 * after today: an order with nulls last would sort all reports of the domain.
 * @param of the columns, or values, of the organization and the domain
 */
export function newestPolicy(of: { orgId: RawBuilder<unknown>; domainId: RawBuilder<unknown> }, today: Day) {
  const reports = sql`from report r
    where r.org_id = ${of.orgId} and r.domain_id = ${of.domainId} and r.day <= ${today}::date`;
  return sql`(
    (select policy ${reports} and r.date_end is not null order by r.date_end desc, r.id desc limit 1)
    union all
    (select policy ${reports} and r.date_end is null order by r.id desc limit 1)
    limit 1)`;
}

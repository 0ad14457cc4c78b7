import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import { isOfDomain } from '../sources/days-of-source.ts';

/** Days within which a source has passed to be own. (rules, events/own-mail) */
const OWN_DAYS = 90;

/** SQL for `pair (signer, selector)`, recursive: every pair with an aligned pass; a step in the index each. */
export function passingPairs(orgId: string, domainId: string): RawBuilder<unknown> {
  const passes = sql`select signer, selector from dkim_pass p where p.org_id = ${orgId} and p.domain_id = ${domainId}
      and p.selector <> ''`;
  return sql`pair as (
      (${passes} order by signer, selector limit 1)
      union all
      select n.signer, n.selector from pair cross join lateral (
        ${passes} and (p.signer, p.selector) > (pair.signer, pair.selector) order by signer, selector limit 1) n
    )`;
}

/** SQL for whether an address is an own source of a domain. (rules, events/own-mail) */
export function isOwnSource(
  orgId: string,
  domainId: string,
  address: RawBuilder<unknown>,
  today: Day,
): RawBuilder<unknown> {
  return sql`exists (
        select from source_domain_day o where o.org_id = ${orgId} and o.source_ip = ${address}
          and o.day >= ${addDays(today, -OWN_DAYS)}::date and o.day < ${today}::date
          and ${isOfDomain(sql`o.domain_id`, domainId)} and o.compliant > 0)`;
}

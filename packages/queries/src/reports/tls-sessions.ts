import { sql, type RawBuilder } from 'kysely';

/** At most this is summed, as of one session count, however many reports exaggerate. */
export const MOST_SESSIONS = Number.MAX_SAFE_INTEGER;

/** That a report `r` has policies of the domain; of every report where none is given. */
export function hasDomain(domain: string | undefined): RawBuilder<boolean> {
  return domain === undefined ? sql`true` : sql`${domain} = any(r.domains)`;
}

/** That a failure `f` is of the domain. An empty text stands for a domain that the report did not name. */
export function isOfDomain(domain: string | undefined): RawBuilder<boolean> {
  return domain === undefined ? sql`true` : sql`coalesce(f.domain, '') = ${domain}`;
}

/**
 * Selects `successes` and `failures` of a report `r`: those of the policies of one domain, or of all. A report counts
 * sessions for each policy. (RFC 8460, 4.4)
 */
export function sessionsOf(domain: string | undefined): RawBuilder<unknown> {
  if (domain === undefined) return sql`select r.successes, r.failures`;
  return sql`
    select least(coalesce(sum(p.successes), 0), ${MOST_SESSIONS})::bigint as successes,
      least(coalesce(sum(p.failures), 0), ${MOST_SESSIONS})::bigint as failures
    from jsonb_to_recordset(r.policies) as p (domain text, successes numeric, failures numeric)
    where coalesce(p.domain, '') = ${domain}`;
}

import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for whether rows of `source_domain_day` that belong to known addresses are of a domain. Compared as text, the
 * domain is no bound of an index: the rows are found by the days of each address, never by all those of the domain.
 */
export function isOfDomain(column: RawBuilder<unknown>, domainId: string): RawBuilder<boolean> {
  return sql<boolean>`${column}::text = ${domainId}`;
}

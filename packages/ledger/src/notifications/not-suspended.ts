import { type RawBuilder, sql } from 'kysely';

/**
 * Whether notifications of an organization go out: not while it is suspended. What waits goes out when it is resumed.
 * (rules, organizations/suspended-organizations)
 */
export function isNotSuspended(orgId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from organization o where o.id = ${orgId} and o.suspended_at is null and o.removed_at is null)`;
}

import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a source, as `d` of `source_domain`, may be as old as it is by a forged report alone: one that is
 * unauthenticated begins when the source was first seen. An index of such reports by their begin answers it.
 */
export const isFirstDoubted: RawBuilder<boolean> = sql`exists (
  select from report p where p.org_id = d.org_id and p.domain_id = d.domain_id and p.unauthenticated
    and p.date_begin = d.first_seen)`;

import { type RawBuilder, sql } from 'kysely';

/** The rank of a severity, in SQL: a graver one has a higher rank. */
export function severityRank(severity: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`array_position(array['info', 'warning', 'critical'], ${severity})`;
}

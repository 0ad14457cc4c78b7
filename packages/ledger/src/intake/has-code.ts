import { sql, type RawBuilder } from 'kysely';

/**
 * Whether a delivery ended with one of these codes, or a document in it did; `code` and `parts` are its columns. A
 * delivery has one code, and its documents may have others.
 */
export function hasCode(codes: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`code is not null and (code = any(${codes}) or exists (
    select from jsonb_array_elements(parts) as part where part ->> 'code' = any(${codes})))`;
}

import { sql } from 'kysely';
import type { SortKey } from '../lists/sorted-list.ts';
import type { SourceScope } from './source-filter.ts';

const types = {
  messages: 'bigint',
  first_seen: 'timestamptz',
  last_seen: 'timestamptz',
  compliance: 'integer',
  auth_failures: 'bigint',
  domains: 'integer',
} as const satisfies { [column: string]: SortKey['type'] };

type Column = keyof typeof types;

const columns = {
  total_messages: 'messages',
  first_seen: 'first_seen',
  last_seen: 'last_seen',
  compliance: 'compliance',
  auth_failures: 'auth_failures',
  domains: 'domains',
} as const satisfies { [name: string]: Column };

export type SourceSort = keyof typeof columns | 'source_ip';

/** Columns that the rollup of one domain derives. Sorting its sources by their domain makes all of them ties. */
const derived = new Map([
  ['compliance', sql`compliance_of(list.compliant, list.messages)`],
  ['auth_failures', sql`(2 * list.messages - list.spf_pass - list.dkim_pass)`],
  ['domains', sql.ref('list.source_ip')],
]);

/**
 * Returns the sort key of a list. The order of addresses is that of the table's key; the others have indexes, which
 * only the sources of long lists are in: by all columns for an organization, by messages for a domain.
 */
export function sortKeyOf(
  { domainId, gathered, areIndexed }: Pick<SourceScope, 'domainId' | 'gathered' | 'areIndexed'>,
  sortBy: SourceSort,
  hasFailures: boolean,
): SortKey {
  const ofDomain = domainId !== undefined;
  if (sortBy === 'source_ip' || (ofDomain && sortBy === 'domains')) {
    const key: SortKey = { expression: sql.ref('list.source_ip'), type: 'inet', nullable: false };
    return ofDomain || gathered ? { ...key, indexed: false } : key;
  }
  const column = columns[sortBy];
  const key = { type: types[column], nullable: column === 'first_seen' || column === 'last_seen' };
  if (gathered || !areIndexed || (ofDomain && column !== 'messages')) {
    const stored = sql.ref(`list.${column}`);
    return { ...key, expression: ofDomain ? (derived.get(column) ?? stored) : stored, indexed: false };
  }
  const expression = sql.ref(`list.sort_${column}`);
  const isBounded = hasFailures && column === 'auth_failures';
  return { ...key, expression, ...(isBounded && { bounds: [sql<boolean>`${expression} > 0`] }) };
}

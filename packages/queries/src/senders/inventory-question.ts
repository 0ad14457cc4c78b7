import type { SourceSums } from '@dmarc-ledger/facts';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';

/** A sender of one domain: its sums over all reports held, and what has been decided about it. */
export interface InventoryRow extends SourceSums {
  domain_id: string;
  domain: string;
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender: string;
  addresses: number;
  /** Of these addresses, the ones with the reputation `malicious`. */
  malicious: number;
  decision: SenderDecision | null;
  owner: string | null;
  note: string | null;
  decided_by: string | null;
  decided_at: Date | null;
}

export interface InventoryFilter {
  /** Undefined: every domain of the organization. */
  domainId?: string | undefined;
  /** `none`: not decided. */
  decision?: SenderDecision | 'none' | undefined;
  /** The key of one sender. */
  sender?: string | undefined;
}

/** The sort keys, of a row of sums. */
export const inventoryOrders = {
  messages: sql`messages`,
  compliant_messages: sql`compliant`,
  failing_messages: sql`(messages - compliant)`,
  addresses: sql`addresses`,
  first_seen: sql`first_seen`,
  last_seen: sql`last_seen`,
} satisfies { [name: string]: RawBuilder<unknown> };

export type InventorySort = keyof typeof inventoryOrders;
export const inventorySorts = [
  'messages',
  'compliant_messages',
  'failing_messages',
  'addresses',
  'first_seen',
  'last_seen',
] as const satisfies readonly InventorySort[];

export interface InventoryPage {
  sortBy: InventorySort;
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** A question as the parts of the statement see it. */
export interface InventoryQuestion extends InventoryFilter, InventoryPage {
  orgId: string;
  /** Whether the sources of the organization are in the indexes that long lists are read by. */
  areIndexed: boolean;
}

/** SQL for a condition that keeps the domain of the question; nothing if it has none. */
export function ofDomain({ domainId }: InventoryFilter, column: string): RawBuilder<unknown> {
  return domainId === undefined ? sql`` : sql`and ${sql.ref(column)} = ${domainId}`;
}

/** SQL for the direction of the sort. */
export function towards({ direction }: InventoryPage): RawBuilder<unknown> {
  return direction === 'asc' ? sql`asc nulls last` : sql`desc nulls last`;
}

/** SQL that is true for a sort key that comes before another or is equal to it. */
export function isAtLeast({ direction }: InventoryPage, key: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return direction === 'asc' ? sql<boolean>`${key} <= ${other}` : sql<boolean>`${key} >= ${other}`;
}

import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * False while another process runs this plan: both would count the same work in progress. Held until the transaction
 * ends.
 */
export async function isOnlyPlanner(
  { db }: Session,
  plan: 'plan_checks' | 'plan_health' | 'plan_deliveries' | 'plan_digests',
): Promise<boolean> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${plan})) as is_mine`.execute(db);
  return rows[0]!.is_mine;
}

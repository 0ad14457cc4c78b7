import { type Database, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce, type Work } from '../due-work/announce-work.ts';
import { queueDue, NO_ORG, takeTurns } from './awaited-addresses.ts';

/** The most due addresses queued by one call. */
const QUEUED_AT_ONCE = 2_000;

export interface LookupPlan {
  /** The most addresses in progress, over all processes; further ones wait in their table. */
  inHand: number;
  /** The same while deliveries wait to be read, as those come first. */
  inHandBesideIntake: number;
  /** The most planned by one call. */
  atOnce: number;
  /** Addresses in one job. */
  inJob: number;
  /** An address that was planned and not looked up within this time is planned again. */
  lostAfterSeconds: number;
}

/**
 * Queues lookups that are due, the same number for each organization with queued addresses: first new addresses that
 * fail DMARC, then new ones, then those to be looked up again. Returns how many. Planners may run concurrently, and
 * slowly beside a large intake.
 */
export async function planLookups(database: Database, plan: LookupPlan): Promise<number> {
  return await transact(database, async (session) => {
    await queueDue(session, QUEUED_AT_ONCE);
    const { rows } = await sql<{ in_hand: number; is_taking_in: boolean }>`
      select exists (select from raw_message where state = 'received') as is_taking_in, count(*) as in_hand from (
        select from ip_enrichment where planned and due_at > now() limit ${plan.inHand}) planned`.execute(session.db);
    const { in_hand, is_taking_in } = rows[0]!;
    const slots = Math.min((is_taking_in ? plan.inHandBesideIntake : plan.inHand) - in_hand, plan.atOnce);
    const planned = slots > 0 ? await takeTurns(session, slots, plan.lostAfterSeconds) : [];
    const work: Work[] = [];
    for (let at = 0; at < planned.length; at += plan.inJob)
      work.push({ job: 'enrichAddresses', payload: { addresses: planned.slice(at, at + plan.inJob) } });
    await announce(session, NO_ORG, work);
    return planned.length;
  });
}

/** Marks addresses as in progress, whatever the age of their facts, including addresses that no report mentions. */
export async function takeInHand({ db }: Pick<Database, 'db'>, addresses: readonly string[]): Promise<void> {
  await sql`
    insert into ip_enrichment (address, planned, due_at)
    select address, true, now() + interval '10 minutes' from unnest(${addresses}::inet[]) as address order by address
    on conflict (address) do update set ptr_due_at = now(), abuse_due_at = now(), lists_due_at = now(), planned = true,
      in_line = false, due_at = excluded.due_at`.execute(db);
}

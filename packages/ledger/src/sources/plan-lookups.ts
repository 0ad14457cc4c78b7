import { type Database, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';
import { lineUpDue, NO_ORG, takeTurns } from './awaited-addresses.ts';

/** Due addresses that are put in line by one call at most. */
const LINED_UP_AT_ONCE = 2_000;

export interface LookupPlan {
  /** Addresses in hand at most, over all processes: what is due beyond that waits in its table. */
  inHand: number;
  /** The same while deliveries wait to be taken in, which come first. */
  inHandBesideIntake: number;
  /** Planned by one call at most. */
  atOnce: number;
  /** Addresses in one job. */
  inJob: number;
  /** An address that was planned and not heard of for so long is planned again. */
  lostAfterSeconds: number;
}

/**
 * Hands lookups that are due to the queue, of each organization that waits for some the same number: within its share
 * new addresses that fail DMARC, then new ones, then those to be looked up again. Returns how many. Any number of
 * planners may run, beside a large intake at a walk.
 */
export async function planLookups(database: Database, plan: LookupPlan): Promise<number> {
  return await transact(database, async (session) => {
    await lineUpDue(session, LINED_UP_AT_ONCE);
    const { rows } = await sql<{ in_hand: number; is_taking_in: boolean }>`
      select exists (select from raw_message where state = 'received') as is_taking_in, count(*) as in_hand from (
        select from ip_enrichment where planned and due_at > now() limit ${plan.inHand}) planned`.execute(session.db);
    const { in_hand, is_taking_in } = rows[0]!;
    const room = Math.min((is_taking_in ? plan.inHandBesideIntake : plan.inHand) - in_hand, plan.atOnce);
    const planned = room > 0 ? await takeTurns(session, room, plan.lostAfterSeconds) : [];
    const work = [];
    for (let at = 0; at < planned.length; at += plan.inJob)
      work.push({ job: 'enrichAddresses', payload: { addresses: planned.slice(at, at + plan.inJob) } });
    await announce(session, NO_ORG, work);
    return planned.length;
  });
}

/** Takes addresses in hand now, whatever the age of what is known of them, also such as no report mentions. */
export async function takeInHand({ db }: Pick<Database, 'db'>, addresses: readonly string[]): Promise<void> {
  await sql`
    insert into ip_enrichment (address, planned, due_at)
    select address, true, now() + interval '10 minutes' from unnest(${addresses}::inet[]) as address order by address
    on conflict (address) do update set ptr_due_at = now(), abuse_due_at = now(), lists_due_at = now(), planned = true,
      in_line = false, due_at = excluded.due_at`.execute(db);
}

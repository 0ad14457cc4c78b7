import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { transact, type Session } from '../transaction.ts';
import { announce } from '../write/announce-work.ts';

/** Work about addresses belongs to no organization. */
export const NO_ORG = '00000000-0000-0000-0000-000000000000';

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
 * Hands the most pressing of the lookups that are due to the queue: new addresses that fail DMARC, then new ones, then
 * those to be looked up again. Returns how many. Any number of planners may run, beside a large intake at a walk.
 */
export async function planLookups(database: Database, plan: LookupPlan): Promise<number> {
  return await transact(database, async (session) => {
    const { rows } = await sql<{ in_hand: number; is_taking_in: boolean }>`
      select exists (select from raw_message where state = 'received') as is_taking_in, count(*) as in_hand from (
        select from ip_enrichment where planned and due_at > now() limit ${plan.inHand}) planned`.execute(session.db);
    const { in_hand, is_taking_in } = rows[0]!;
    let room = Math.min((is_taking_in ? plan.inHandBesideIntake : plan.inHand) - in_hand, plan.atOnce);
    const planned: string[] = [];
    for (const priority of [0, 1, 2]) {
      if (room <= 0) break;
      const picked = await pick(session, priority, room, plan.lostAfterSeconds);
      planned.push(...picked);
      room -= picked.length;
    }
    const work = [];
    for (let at = 0; at < planned.length; at += plan.inJob)
      work.push({ job: 'enrichAddresses', payload: { addresses: planned.slice(at, at + plan.inJob) } });
    await announce(session, NO_ORG, work);
    return planned.length;
  });
}

async function pick({ db }: Session, priority: number, limit: number, lostAfterSeconds: number): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    with picked as (
      select address from ip_enrichment where priority = ${priority} and due_at <= now()
      order by due_at limit ${limit} for update skip locked
    )
    update ip_enrichment e set planned = true, due_at = now() + make_interval(secs => ${lostAfterSeconds})
    from picked p where e.address = p.address returning e.address`.execute(db);
  return rows.map(({ address }) => address);
}

/** Takes addresses in hand now, whatever the age of what is known of them, also such as no report mentions. */
export async function takeInHand({ db }: Pick<Database, 'db'>, addresses: readonly string[]): Promise<void> {
  await sql`
    insert into ip_enrichment (address, planned, due_at)
    select address, true, now() + interval '10 minutes' from unnest(${addresses}::inet[]) as address order by address
    on conflict (address) do update set ptr_due_at = now(), abuse_due_at = now(), lists_due_at = now(), planned = true,
      due_at = excluded.due_at`.execute(db);
}

import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { startForgiven } from './claimant.ts';
import type { ClaimedMessage } from './claimed-message.ts';

/** The code of a delivery that is held until the next day. */
const RECORD_BUDGET = 'record_budget';

/** Returns how many records an organization has stored since 00:00 UTC, including those of replaced copies. */
export async function recordsStoredToday(db: Db, orgId: string): Promise<number> {
  const { rows } = await sql<{ records: number }>`
    select records_stored as records from org_total
    where org_id = ${orgId} and records_on = (ledger_now() at time zone 'utc')::date`.execute(db);
  return rows[0]?.records ?? 0;
}

/**
 * Postpones claimed deliveries until the next UTC day, without counting the start, as nothing is wrong with them. They
 * stay `received`, with the code `record_budget`. Those whose claim has passed to another claimant are left to it. One
 * that its owner has brought in another way meanwhile is only queued again, as its budget may be another.
 */
export async function holdMessages(db: Db, orgId: string, messages: readonly ClaimedMessage[]): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const claimants = messages.map(({ claimedBy }) => claimedBy);
  const sources = messages.map(({ source }) => source);
  await sql`
    update raw_message set state = 'received', claimed_by = null, attempts_started = ${startForgiven},
      code = case when raw_message.source = k.source then ${RECORD_BUDGET} else code end,
      held_until = case when raw_message.source = k.source
        then (date_trunc('day', ledger_now() at time zone 'utc') + interval '1 day') at time zone 'utc' end
    from unnest(${ids}::uuid[], ${claimants}::bigint[], ${sources}::text[]) as k (id, claimed_by, source)
    where raw_message.org_id = ${orgId} and raw_message.id = k.id and raw_message.claimed_by = k.claimed_by
      and state = 'processing'`.execute(db);
}

/** Returns deliveries whose day has come to the queue. Returns how many. */
export async function releaseHeld(db: Db): Promise<number> {
  const { rows } = await sql<{ released: number }>`
    with released as (
      update raw_message set held_until = null, code = null
      where held_until is not null and held_until <= ledger_now() and state = 'received' returning id
    )
    select count(*) as released from released`.execute(db);
  return rows[0]?.released ?? 0;
}

/** An organization whose deliveries wait for the next day. */
export interface HeldIntake {
  orgId: string;
  name: string;
  deliveries: number;
  until: Date;
}

export async function findHeldIntake(db: Db): Promise<HeldIntake[]> {
  const { rows } = await sql<HeldIntake>`
    select m.org_id as "orgId", o.name, count(*) as deliveries, min(m.held_until) as until
    from raw_message m join organization o on o.id = m.org_id where m.held_until is not null
    group by m.org_id, o.name order by o.name`.execute(db);
  return rows;
}

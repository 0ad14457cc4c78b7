import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Why a delivery is held; it stands in the ledger as its code while it waits. */
const RECORD_BUDGET = 'record_budget';

/** How many records an organization has stored since 00:00 UTC, those of replaced copies included. */
export async function recordsStoredToday(db: Db, orgId: string): Promise<number> {
  const { rows } = await sql<{ records: number }>`
    select records_stored as records from org_total
    where org_id = ${orgId} and records_on = (ledger_now() at time zone 'utc')::date`.execute(db);
  return rows[0]?.records ?? 0;
}

/**
 * Puts claimed deliveries off until the next day (UTC), without counting the start: nothing is wrong with them. They stay
 * `received`, with the code `record_budget`.
 */
export async function holdMessages(db: Db, orgId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update raw_message set state = 'received', claimed_by = null, attempts_started = attempts_started - 1, code = ${RECORD_BUDGET},
      held_until = (date_trunc('day', ledger_now() at time zone 'utc') + interval '1 day') at time zone 'utc'
    where org_id = ${orgId} and id = any(${ids}::uuid[]) and state = 'processing'`.execute(db);
}

/** Puts the deliveries whose day has come back in line. Returns how many. */
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

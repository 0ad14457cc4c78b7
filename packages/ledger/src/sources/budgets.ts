import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * Takes one call from a service's daily budget, which all processes share. Returns undefined if the call may be made,
 * else the instant before which none may.
 */
export async function takeCall(db: Db, service: string, callsPerDay: number): Promise<Date | undefined> {
  const { rows } = await sql<{ taken: boolean; until: Date }>`
    with today as (select (now() at time zone 'UTC')::date as day),
    refusal as (select max(refused_until) as until from lookup_budget where service = ${service}
      and refused_until > now()),
    taken as (
      insert into lookup_budget as b (service, day, spent)
      select ${service}, day, 1 from today, refusal where refusal.until is null
      on conflict (service, day) do update set spent = b.spent + 1
        where b.spent < ${callsPerDay} and (b.refused_until is null or b.refused_until <= now())
      returning 1
    )
    select exists (select from taken) as taken,
      coalesce(refusal.until, (day + 1)::timestamp at time zone 'UTC') as until
    from today, refusal`.execute(db);
  const { taken, until } = rows[0]!;
  return taken ? undefined : until;
}

/** Stores what the service reports: the calls left today, or an instant before which there are none. */
export async function saveBudget(
  db: Db,
  service: string,
  { spent, refusedUntil }: { spent?: number; refusedUntil?: Date },
): Promise<void> {
  await sql`
    insert into lookup_budget as b (service, day, spent, refused_until)
    values (${service}, (now() at time zone 'UTC')::date, ${spent ?? 0}, ${refusedUntil ?? null})
    on conflict (service, day) do update set spent = greatest(b.spent, excluded.spent),
      refused_until = greatest(b.refused_until, excluded.refused_until)`.execute(db);
}

/** Returns the calls left today in a service's budget; zero while the service refuses calls. */
export async function findBudgetLeft(db: Db, service: string, callsPerDay: number): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    select case when max(refused_until) > now() then 0 else greatest(${callsPerDay}::integer
      - coalesce(sum(spent) filter (where day = (now() at time zone 'UTC')::date), 0), 0) end as left
    from lookup_budget where service = ${service} and day >= (now() at time zone 'UTC')::date - 31`.execute(db);
  return rows[0]!.left;
}

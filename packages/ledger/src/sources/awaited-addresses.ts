import type { Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Stands for addresses that belong to no organization, such as one that an operator asked for. */
export const NO_ORG = '00000000-0000-0000-0000-000000000000';

/** In how many organizations' queues an address is put: with that many, one of them reaches it soon. */
const QUEUES = 20;
/** Rounds over the organizations in one selection. The rest is selected next time. */
const ROUNDS = 4;

/**
 * Queues addresses that are due for the organizations that have seen them; again after a day, if the entries are gone
 * by then.
 */
export async function queueDue({ db }: Session, limit: number): Promise<void> {
  await sql`
    with due as (
      select address, priority from ip_enrichment where due_at <= now()
      order by due_at limit ${limit} for update skip locked
    ), placed as (
      update ip_enrichment e set in_line = true, planned = false, due_at = now() + interval '1 day' from due d
        where e.address = d.address
    )
    insert into awaited_address (org_id, address, priority)
    select coalesce(i.org_id, ${NO_ORG}), d.address, d.priority from due d
      left join lateral (select org_id from ip_interest i where i.address = d.address limit ${QUEUES}) i on true
    order by 1, 2 on conflict do nothing`.execute(db);
}

/**
 * Queues new addresses of an organization that wait to be looked up. To be called last, as rows are locked here after
 * those of `ip_enrichment`.
 */
export async function waitFor(
  { db }: Session,
  orgId: string,
  { waiting, failing }: { waiting: readonly string[]; failing: readonly string[] },
): Promise<void> {
  if (waiting.length > 0)
    await sql`
      insert into awaited_address (org_id, address, priority)
      select ${orgId}, address, case when address = any(${failing}::inet[]) then 0 else 1 end
      from unnest(${waiting}::inet[]) as address order by address on conflict do nothing`.execute(db);
  if (failing.length === 0) return;
  // by keys, whatever the planner believes of the table: the queue's index by priority is as long as the queue, and the
  // rows exist, so that the insert only finds them
  await sql`
    with begun as (
      select a.address from (select address from unnest(${failing}::inet[]) as address order by address offset 0) f
        cross join lateral (
          select address from awaited_address where org_id = ${orgId} and address = f.address and priority + 0 = 1
          order by org_id, address offset 0 for update skip locked
        ) a
    )
    insert into awaited_address (org_id, address, priority) select ${orgId}, address, 0 from begun
    on conflict (org_id, address) do update set priority = 0`.execute(db);
}

/**
 * Takes addresses from the queues, the same number for each organization as long as it has any: first new addresses
 * that fail DMARC, then new ones, then those looked up before. They stay planned until they are done or time out.
 */
export async function takeTurns(session: Session, slots: number, lostAfterSeconds: number): Promise<string[]> {
  const taken: string[] = [];
  let orgs = await findWaiting(session, slots);
  for (let round = 0; round < ROUNDS && orgs.length > 0 && taken.length < slots; round += 1) {
    const left = slots - taken.length;
    const turn = orgs.slice(0, left);
    const share = Math.floor(left / turn.length);
    const chosen = await chooseOf(session, turn, share);
    taken.push(...(await take(session, chosen, lostAfterSeconds)));
    const counts = Map.groupBy(chosen, ({ org_id }) => org_id);
    orgs = turn.filter((org) => counts.get(org)?.length === share);
  }
  return taken;
}

/** Returns the organizations with queued addresses, in an order that favours none. */
async function findWaiting({ db }: Session, limit: number): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`
    with recursive waiting as (
      (select org_id from awaited_address order by org_id limit 1)
      union all
      select (select a.org_id from awaited_address a where a.org_id > w.org_id order by a.org_id limit 1)
      from waiting w where w.org_id is not null
    )
    select org_id from waiting where org_id is not null order by random() limit ${limit}`.execute(db);
  return rows.map(({ org_id }) => org_id);
}

interface Awaited {
  org_id: string;
  address: string;
}

async function chooseOf({ db }: Session, orgs: readonly string[], share: number): Promise<Awaited[]> {
  const { rows } = await sql<Awaited>`
    select o.org_id, a.address from unnest(${orgs}::uuid[]) as o (org_id) cross join lateral (
      select address from awaited_address a where a.org_id = o.org_id order by priority,
        since limit ${share}) a`.execute(db);
  return rows;
}

/** Takes an address out of all queues that contain it; an address that another planner has locked is skipped. */
async function take({ db }: Session, chosen: readonly Awaited[], lostAfterSeconds: number): Promise<string[]> {
  const addresses = [...new Set(chosen.map(({ address }) => address))];
  const { rows } = await sql<{ address: string }>`
    with free as (
      select address from ip_enrichment where address = any(${addresses}::inet[]) and in_line
      order by address for update skip locked
    )
    update ip_enrichment e set planned = true, in_line = false,
      due_at = now() + make_interval(secs => ${lostAfterSeconds})
    from free f where e.address = f.address returning e.address`.execute(db);
  const taken = rows.map(({ address }) => address);
  await sql`
    delete from awaited_address a using (
      select org_id, address from ip_interest where address = any(${taken}::inet[])
      union
      select c.org_id, c.address from unnest(${chosen.map(({ org_id }) => org_id)}::uuid[],
          ${chosen.map(({ address }) => address)}::inet[]) as c (org_id, address)
        left join ip_enrichment e on e.address = c.address and e.in_line where e.address is null
    ) gone where a.org_id = gone.org_id and a.address = gone.address`.execute(db);
  return taken;
}

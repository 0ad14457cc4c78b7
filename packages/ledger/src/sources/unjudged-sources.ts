import type { Db, Session } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce, type Work } from '../due-work/announce-work.ts';
import { isOnly } from '../keys/by-key.ts';
import { watchSources } from '../due-work/watch-changes.ts';

const THIS_ADDRESS = sql.raw<boolean>(isOnly('source_ip', 'a.address'));

/** Sources in one job. */
const JUDGED_AT_ONCE = 200;

/** Has an organization's mail from these addresses judged again by the current facts. */
export async function announceJudgement(session: Session, orgId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    insert into unjudged_source (org_id, source_ip)
    select ${orgId}, address from unnest(${addresses}::inet[]) as address order by address
    on conflict (org_id, source_ip) do update set since = now()`.execute(session.db);
  const work: Work[] = [];
  for (let at = 0; at < addresses.length; at += JUDGED_AT_ONCE) {
    work.push({ job: 'judgeSources', payload: { orgId, addresses: addresses.slice(at, at + JUDGED_AT_ONCE) } });
  }
  await announce(session, orgId, work);
}

/** Like `announceJudgement`, for sources with mail judged by outdated facts: settled mail is judged again too. */
export async function announceRejudgement(
  session: Session,
  orgId: string,
  addresses: readonly string[],
): Promise<void> {
  await announceJudgement(session, orgId, addresses);
  await session.db
    .updateTable('source_standing')
    .set({ settled: false })
    .where('org_id', '=', orgId)
    .where('source_ip', '=', sql<string>`any(${addresses}::inet[])`)
    .execute();
}

/**
 * A source whose mail waits to be judged, and since when, in microseconds: a new announcement is a new piece of work.
 */
export interface UnjudgedSource {
  address: string;
  since: string;
}

/** Returns those of these sources that wait. */
export async function findUnjudgedSources(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): Promise<UnjudgedSource[]> {
  return await db
    .selectFrom('unjudged_source')
    .select(['source_ip as address', sql<string>`since::text`.as('since')])
    .where('org_id', '=', orgId)
    .where('source_ip', '=', sql<string>`any(${addresses}::inet[])`)
    .execute();
}

/**
 * Locks those of the sources that still wait unchanged, until the transaction ends, and hides them from the sweep. A
 * source that was announced again is left to that newer work, so newer results are never overwritten.
 */
export async function holdUnjudgedSources(
  { db }: Session,
  orgId: string,
  waiting: readonly UnjudgedSource[],
): Promise<UnjudgedSource[]> {
  const { rows } = await sql<UnjudgedSource>`
    with held as (
      select u.source_ip from unjudged_source u cross join ${rowsOf(waiting)}
      where u.org_id = ${orgId} and u.source_ip = j.address and u.since = j.since order by u.source_ip for update of u
    )
    update unjudged_source u set since = clock_timestamp() from held
    where u.org_id = ${orgId} and u.source_ip = held.source_ip
    returning u.source_ip as address, u.since::text as since`.execute(db);
  return rows;
}

/**
 * Waits until no judgement of these sources is being stored, and holds off further ones until the transaction ends:
 * they read the mail that is stored by now (`holdUnjudgedSources`).
 */
export async function holdOffJudgement({ db }: Session, orgId: string, addresses: readonly string[]): Promise<void> {
  await sql`select from unjudged_source where org_id = ${orgId} and source_ip = any(${addresses}::inet[])
    order by source_ip for key share`.execute(db);
}

/**
 * Returns those of these sources that have no sums yet, as the first of them wait for repair: nothing can be stored of
 * what such a source is.
 */
export async function findUncountedSources(db: Db, orgId: string, addresses: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select a.address from unnest(${addresses}::inet[]) as a (address)
    where (select true from rollup_dirty where org_id = ${orgId} and ${THIS_ADDRESS} order by source_ip limit 1)
      and (select true from source_total where org_id = ${orgId} and ${THIS_ADDRESS} order by source_ip limit 1)
        is null`.execute(db);
  return new Set(rows.map(({ address }) => address));
}

/** Ends the judgement of sources, except those that were announced again meanwhile. */
export async function finishSources(session: Session, orgId: string, judged: readonly UnjudgedSource[]): Promise<void> {
  if (judged.length === 0) return;
  const { db } = session;
  await sql`
    with held as (
      select u.source_ip from unjudged_source u cross join ${rowsOf(judged)}
      where u.org_id = ${orgId} and u.source_ip = j.address and u.since = j.since order by u.source_ip for update of u
    ), done as (
      delete from unjudged_source u using held where u.org_id = ${orgId} and u.source_ip = held.source_ip
      returning u.source_ip
    )
    update source_standing s set settled = true from done
    where s.org_id = ${orgId} and s.source_ip = done.source_ip and not s.settled`.execute(db);
  await watchSources(
    session,
    orgId,
    judged.map(({ address }) => address),
  );
}

function rowsOf(sources: readonly UnjudgedSource[]) {
  return sql`json_to_recordset(${JSON.stringify(sources)}::json) as j (address inet, since timestamptz)`;
}

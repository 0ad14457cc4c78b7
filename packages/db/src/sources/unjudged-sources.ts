import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Session } from '../transaction.ts';
import { announce } from '../write/announce-work.ts';

/** Sources whose mail is judged in one job. */
export const JUDGED_AT_ONCE = 50;

/** Has an organization's mail from these addresses judged again, by what is known of them now. */
export async function announceJudgement(session: Session, orgId: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql`
    insert into unjudged_source (org_id, source_ip)
    select ${orgId}, address from unnest(${addresses}::inet[]) as address order by address
    on conflict (org_id, source_ip) do update set since = now()`.execute(session.db);
  const work = [];
  for (let at = 0; at < addresses.length; at += JUDGED_AT_ONCE) {
    work.push({ job: 'judgeSources', payload: { orgId, addresses: addresses.slice(at, at + JUDGED_AT_ONCE) } });
  }
  await announce(session, orgId, work);
}

/** A source whose mail waits to be judged. */
export interface UnjudgedSource {
  address: string;
  since: Date;
}

/** Of these sources, those that wait. */
export async function findUnjudgedSources(
  db: Db,
  orgId: string,
  addresses: readonly string[],
): Promise<UnjudgedSource[]> {
  return await waiting(db, orgId, addresses).execute();
}

/** The same, held until the transaction ends: a source is judged by one job at a time. */
export async function lockUnjudgedSources(
  { db }: Session,
  orgId: string,
  addresses: readonly string[],
): Promise<UnjudgedSource[]> {
  return await waiting(db, orgId, addresses).forUpdate().execute();
}

function waiting(db: Db, orgId: string, addresses: readonly string[]) {
  return db
    .selectFrom('unjudged_source')
    .select(['source_ip as address', 'since'])
    .where('org_id', '=', orgId)
    .where('source_ip', '=', sql<string>`any(${addresses}::inet[])`)
    .orderBy('source_ip');
}

/** Ends the judgement of sources, but of those that were announced anew meanwhile. */
export async function finishSources({ db }: Session, orgId: string, judged: readonly UnjudgedSource[]): Promise<void> {
  if (judged.length === 0) return;
  await sql`
    delete from unjudged_source u using json_to_recordset(${JSON.stringify(judged)}::json) as j (address inet, since timestamptz)
    where u.org_id = ${orgId} and u.source_ip = j.address and date_trunc('milliseconds', u.since) = j.since`.execute(
    db,
  );
}

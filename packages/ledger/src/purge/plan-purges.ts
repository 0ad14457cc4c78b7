import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

export interface PurgePlan {
  /** Organizations handed to the queue by one call at most. */
  atOnce: number;
  /** One that was planned and not heard of for so long is planned again. */
  lostAfterSeconds: number;
}

const SWEEP = 'sweep_blobs';
/** Belongs to nobody: the bytes of all. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Hands organizations whose purge is due to the queue, and the sweep of the blob store. Any number may plan. */
export async function planPurges(database: Database, { atOnce, lostAfterSeconds }: PurgePlan): Promise<number> {
  return await transact(database, async (session) => {
    const { rows } = await sql<{ id: string }>`
      with picked as (
        select id from organization where purge_due_at <= ledger_now() order by purge_due_at limit ${atOnce}
        for no key update skip locked
      )
      update organization o set purge_due_at = ledger_now() + make_interval(secs => ${lostAfterSeconds})
      from picked p where o.id = p.id returning o.id`.execute(session.db);
    for (const { id: orgId } of rows)
      await announce(session, orgId, [{ job: 'purgeOrganization', payload: { orgId } }]);
    const swept = await sql`
      update chore set due_at = ledger_now() + make_interval(secs => ${lostAfterSeconds})
      where name = (select name from chore where name = ${SWEEP} and due_at <= ledger_now() for update skip locked)
      returning name`.execute(session.db);
    if (swept.rows.length > 0) await announce(session, NOBODY, [{ job: 'sweepBlobs', payload: {} }]);
    return rows.length + swept.rows.length;
  });
}

/** The purge of an organization goes on: it is not lost. */
export async function keepPurging(db: Db, orgId: string, seconds: number): Promise<void> {
  await sql`update organization set purge_due_at = ledger_now() + make_interval(secs => ${seconds}) where id = ${orgId}`.execute(
    db,
  );
}

/** The next is due in a day, give or take two hours, so that organizations do not come all at once. */
export async function finishPurge(db: Db, orgId: string): Promise<void> {
  await sql`update organization set purge_due_at = ledger_now() + interval '22 hours' + random() * interval '4 hours' where id = ${orgId}`.execute(
    db,
  );
}

export async function finishSweep(db: Db): Promise<void> {
  await sql`update chore set due_at = ledger_now() + interval '1 day' where name = ${SWEEP}`.execute(db);
}

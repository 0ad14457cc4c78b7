import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

export interface PurgePlan {
  /** The most organizations queued by one call. */
  atOnce: number;
  /** An organization that was planned and not purged within this time is planned again. */
  lostAfterSeconds: number;
}

const SWEEP = 'sweep_blobs';
/** Stands for all organizations: the sweep of the blob store. */
const ALL_ORGS = '00000000-0000-0000-0000-000000000000';

/** Queues organizations whose purge is due, and the sweep of the blob store. Planners may run concurrently. */
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
    if (swept.rows.length > 0) await announce(session, ALL_ORGS, [{ job: 'sweepBlobs', payload: {} }]);
    return rows.length + swept.rows.length;
  });
}

/** Extends the lease of a running purge. */
export async function keepPurging(db: Db, orgId: string, seconds: number): Promise<void> {
  await sql`update organization set purge_due_at = ledger_now() + make_interval(secs => ${seconds})
    where id = ${orgId}`.execute(db);
}

/**
 * Schedules the next purge in a day, give or take two hours, to spread the organizations. Not of one that was removed
 * meanwhile: its removal is due before.
 */
export async function finishPurge(db: Db, orgId: string): Promise<void> {
  await sql`update organization set purge_due_at = ledger_now() + interval '22 hours' + random() * interval '4 hours'
    where id = ${orgId} and removed_at is null`.execute(db);
}

export async function finishSweep(db: Db): Promise<void> {
  await sql`update chore set due_at = ledger_now() + interval '1 day' where name = ${SWEEP}`.execute(db);
}

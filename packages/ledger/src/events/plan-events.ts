import { type Database, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announce, type Work } from '../due-work/announce-work.ts';

export interface EventPlan {
  /** The most domains queued by one call. */
  atOnce: number;
  /** A domain that was planned and not judged within this time is planned again. */
  lostAfterSeconds: number;
}

/** Queues domains that the rules are to judge, the most overdue first. Planners may run concurrently. */
export async function planEvents(database: Database, { atOnce, lostAfterSeconds }: EventPlan): Promise<number> {
  return await transact(database, async (session) => {
    const { rows } = await sql<{ org_id: string; domain_id: string }>`
      with picked as (
        select org_id, domain_id from event_watch where due_at <= ledger_now() order by due_at limit ${atOnce}
        for update skip locked
      )
      update event_watch w set due_at = ledger_now() + make_interval(secs => ${lostAfterSeconds})
      from picked p where w.org_id = p.org_id and w.domain_id = p.domain_id
      returning w.org_id, w.domain_id`.execute(session.db);
    for (const [orgId, domains] of Map.groupBy(rows, ({ org_id }) => org_id)) {
      const domainIds = domains.map(({ domain_id }) => domain_id);
      const work = domainIds.map((domainId): Work => ({ job: 'raiseEvents', payload: { orgId, domainId } }));
      await announce(session, orgId, work);
    }
    return rows.length;
  });
}

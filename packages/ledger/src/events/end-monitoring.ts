import { type Database, type Session, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { watchDomains } from '../due-work/watch-changes.ts';
import { endConditions } from './conditions.ts';

/**
 * Stops monitoring a domain and keeps its reports; its open events end. No report has it monitored again, as one does
 * for a domain that a purge has dropped. Returns false if it was not monitored.
 */
export async function removeDomain(database: Database, orgId: string, name: string): Promise<boolean> {
  let isRemoved = false; // also when a commit took effect whose answer was lost
  return await transact(database, async (session) => {
    const { db } = session;
    const removed = await db
      .updateTable('domain')
      .set({ monitored: false, left_at: null })
      .where('org_id', '=', orgId)
      .where('name', '=', name)
      .where('monitored', '=', true)
      .returning('id')
      .execute();
    await endMonitoring(
      session,
      orgId,
      removed.map(({ id }) => id),
    );
    await sql`update org_total set changes = changes + 1 where org_id = ${orgId}`.execute(db);
    isRemoved ||= removed.length > 0;
    return isRemoved;
  });
}

/**
 * Ends every open condition of domains that are no longer monitored, in the transaction that ends their monitoring and
 * holds their rows. Waits for rules that are being applied to them, so that none raises an event afterwards; the next
 * look ends what a report raised meanwhile.
 */
export async function endMonitoring(
  session: Pick<Session, 'db'>,
  orgId: string,
  domainIds: readonly string[],
): Promise<void> {
  if (domainIds.length === 0) return;
  await watchDomains(session, orgId, domainIds);
  const { rows } = await sql<{ key: string }>`
    select key from event_condition
    where org_id = ${orgId} and holds and domain in (
      select name from domain where org_id = ${orgId} and id = any(${domainIds}::uuid[]))
    order by key for update`.execute(session.db);
  await endConditions(
    session,
    orgId,
    rows.map(({ key }) => key),
  );
}

import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announceAccessChange } from '../access/announce.ts';
import { AccessError } from '../access/errors.ts';
import { announce } from '../due-work/announce-work.ts';
import { announceMailboxChange } from '../mailboxes/announce.ts';

/**
 * Every table with rows of an organization, but for `organization` itself: those that others refer to come after them. The
 * deliveries are last but for what they hang from, so that their state tells who is still at work.
 */
export const organizationTables = [
  'outbox',
  'unjudged_report',
  'unjudged_source',
  'rollup_dirty',
  'parse_warning',
  'report_record',
  'report_revision',
  'report',
  'source_domain_day',
  'source_domain',
  'source_total',
  'source_address',
  'source_standing',
  'source_standing_count',
  'awaited_address',
  'ip_interest',
  'domain_day',
  'org_day',
  'domain_total',
  'org_total',
  'report_count_day',
  'org_report_count_day',
  'report_count_reporter',
  'score_snapshot',
  'tlsrpt_failure',
  'tlsrpt_report',
  'aprf_row',
  'aprf_report',
  'failure_report',
  'event_delivery',
  'delivery_target',
  'event',
  'event_condition',
  'event_burst',
  'event_watch',
  'event_source',
  'domain_check',
  'domain_check_change',
  'domain_health',
  'dkim_selector',
  'dkim_selector_day',
  'sending_subdomain',
  'domain',
  'reporter',
  'usage_hour',
  'upload_hour',
  'upload_under_way',
  'api_key',
  'app_user',
  'payload',
  'mailbox_item',
  'mailbox_progress',
  'mailbox',
] as const;

/** Rows of one statement. */
const ROWS = 5_000;

/**
 * Has an organization leave: at once nobody gets in with its keys, its mailboxes are read no more, nobody is told of its events, their secrets are
 * gone, and the work that removes the rest is announced. Its name is free again. There is no way back.
 */
export async function leaveOrganization(database: Database, orgId: string): Promise<void> {
  await transact(database, async (session) => {
    const { db } = session;
    const left = await sql`
      update organization set removed_at = coalesce(removed_at, now()), suspended_at = coalesce(suspended_at, now()),
        report_addresses = '{}', purge_due_at = now() + interval '10 minutes',
        name = case when removed_at is null then left(name, 100) || ' (removed, ' || id || ')' else name end
      where id = ${orgId} returning id`.execute(db);
    if (left.rows.length === 0) throw new AccessError('organization_unknown', 'There is no such organization.');
    await sql`
      update mailbox set removed_at = coalesce(removed_at, now()), secret = '', token = null where org_id = ${orgId}`.execute(
      db,
    );
    await sql`
      update delivery_target set removed_at = coalesce(removed_at, now()), secret = null where org_id = ${orgId}`.execute(
      db,
    );
    await announceAccessChange(db);
    await announceMailboxChange(db);
    await announce(session, orgId, [{ job: 'purgeOrganization', payload: { orgId } }]);
  });
}

/** When an organization was told to leave; undefined where there is none, null where it stays. */
export async function findLeaving(db: Db, orgId: string): Promise<{ removedAt: Date | null } | undefined> {
  const row = await db.selectFrom('organization').select('removed_at').where('id', '=', orgId).executeTakeFirst();
  return row && { removedAt: row.removed_at };
}

/** Removes some of what is left of an organization that leaves. Returns how many rows; none when all has gone. */
export async function removeRows(db: Db, orgId: string): Promise<number> {
  for (const table of organizationTables) {
    const removed = await removeFrom(db, table, orgId);
    if (removed > 0) return removed;
  }
  return await removeFrom(db, 'raw_message', orgId, sql`and state <> 'processing'`);
}

async function removeFrom(db: Db, table: string, orgId: string, which = sql``): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where org_id = ${orgId} and ctid = any(array(
      select ctid from ${sql.table(table)} where org_id = ${orgId} ${which} limit ${ROWS}))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Removes the organization itself, when nobody is at work for it any more and nothing of it is left. Work that was begun
 * before it left may write until it ends, so it must have left so many seconds ago. False when it is too early.
 */
export async function endOrganization(database: Database, orgId: string, seconds: number): Promise<boolean> {
  return await transact(database, async ({ db }) => {
    const { rows } = await sql`
      select id from organization where id = ${orgId} and removed_at < now() - make_interval(secs => ${seconds}) for update`.execute(
      db,
    );
    if (rows.length === 0) return false;
    const waiting = await sql`select from raw_message where org_id = ${orgId} limit 1`.execute(db);
    if (waiting.rows.length > 0) return false;
    for (const table of organizationTables)
      await sql`delete from ${sql.table(table)} where org_id = ${orgId}`.execute(db);
    await db.deleteFrom('organization').where('id', '=', orgId).execute();
    return true;
  });
}

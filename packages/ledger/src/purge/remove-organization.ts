import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { announceAccessChange } from '../access/announce.ts';
import { AccessError } from '../access/errors.ts';
import { announce } from '../due-work/announce-work.ts';
import { announceMailboxChange } from '../mailboxes/announce.ts';

/**
 * Every table with rows of an organization except `organization` itself, referencing tables first. Deliveries are last
 * but for the tables they reference, as their state shows which work is still running.
 */
export const organizationTables = [
  'outbox',
  'unjudged_report',
  'unjudged_source',
  'unjudged_signature',
  'rollup_dirty',
  'parse_warning',
  'stored_record',
  'record_detail',
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
  'enforcement_day',
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
  'domain_evidence',
  'domain_health',
  'dkim_pass',
  'dkim_failure',
  'dkim_selector',
  'dkim_selector_day',
  'sending_subdomain',
  'sender_decision',
  'sender_decision_change',
  'domain',
  'reporter',
  'usage_hour',
  'upload_hour',
  'upload_under_way',
  'upload_ticket',
  'api_key',
  'digest_subscription',
  'app_user',
  'payload',
  'mailbox_item',
  'mailbox_day',
  'mailbox_progress',
  'mailbox',
] as const;

/** Rows in one statement. */
const ROWS = 5_000;

/**
 * Removes an organization: at once its keys are invalid, its mailboxes are no longer read, no notification is sent, its
 * secrets are deleted, and the job that deletes the remaining data is announced. Its name is free again. This cannot be
 * undone.
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
      update mailbox set removed_at = coalesce(removed_at, now()), secret = '', token = null
        where org_id = ${orgId}`.execute(db);
    await sql`
      update delivery_target set removed_at = coalesce(removed_at, now()), secret = null
        where org_id = ${orgId}`.execute(db);
    await announceAccessChange(db);
    await announceMailboxChange(db);
    await announce(session, orgId, [{ job: 'purgeOrganization', payload: { orgId } }]);
  });
}

/** When the removal of an organization was requested; undefined if there is no such organization, null if it stays. */
export async function findLeaving(db: Db, orgId: string): Promise<{ removedAt: Date | null } | undefined> {
  const row = await db.selectFrom('organization').select('removed_at').where('id', '=', orgId).executeTakeFirst();
  return row && { removedAt: row.removed_at };
}

/** Removes some of the remaining rows of a leaving organization. Returns how many; zero when all are gone. */
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
 * Removes the organization itself once no work for it runs and nothing of it is left. Work begun before the removal may
 * still write, so a minimum time must have passed since then. Returns false if it is too early.
 */
export async function endOrganization(database: Database, orgId: string, seconds: number): Promise<boolean> {
  return await transact(database, async ({ db }) => {
    const { rows } = await sql`
      select id from organization where id = ${orgId}
        and removed_at < now() - make_interval(secs => ${seconds}) for update`.execute(db);
    if (rows.length === 0) return false;
    const waiting = await sql`select from raw_message where org_id = ${orgId} limit 1`.execute(db);
    if (waiting.rows.length > 0) return false;
    for (const table of organizationTables)
      await sql`delete from ${sql.table(table)} where org_id = ${orgId}`.execute(db);
    await db.deleteFrom('organization').where('id', '=', orgId).execute();
    return true;
  });
}

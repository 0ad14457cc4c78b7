import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addDomain,
  addUsage,
  addUser,
  createKey,
  createOrganization,
  identifyCaller,
  leaveOrganization,
  listMailboxes,
  organizationTables,
  saveSnapshots,
} from '@dmarc-ledger/ledger';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeHealth, purgeOrganization, repairRollups } from '../src/index.ts';
import { openLedger, receive, settled, type Ledger } from './ledger.ts';
import { openMailbox } from './mailboxes.ts';
import { failureMail, placementJson, tlsJson } from './other-reports.ts';
import { another, figuresOf, given, numbers, reportsOf, rowsWithoutBytes, type Place } from './purge-fixture.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

const RETENTION = { days: 400, rawDays: 90, failureReportDays: 30 };
const remove = async ({ database, blobs, orgId }: Place, leavingSeconds = 0) =>
  await purgeOrganization({ database, blobs, retention: RETENTION, leavingSeconds }, { orgId });

/** Tables of pending work, which may be finished by now. */
const WORK = new Set(['unjudged_signature', 'outbox', 'unjudged_report', 'unjudged_source', 'rollup_dirty']);

const NEVER_SWEPT = sql`now() + interval '1 day'`;

/** Every table that has rows of organizations, from the database's schema. */
async function tablesOf(): Promise<string[]> {
  const { rows } = await sql<{ table_name: string }>`
    select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.column_name = 'org_id' and c.table_schema = 'public' and t.table_type = 'BASE TABLE'`.execute(
    ledger.database.db,
  );
  return rows.map(({ table_name }) => table_name).toSorted();
}

/** How many rows each table has of an organization; those without one are left out. */
async function rowsOf(orgId: string): Promise<{ [table: string]: number }> {
  const { db } = ledger.database;
  const found: { [table: string]: number } = {};
  for (const table of await tablesOf()) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)} where org_id = ${orgId}`.execute(db);
    if (rows[0]!.rows > 0) found[table] = rows[0]!.rows;
  }
  return found;
}

/** The row counts without the tables of pending work. */
async function keptRowsOf(orgId: string) {
  return Object.fromEntries(Object.entries(await rowsOf(orgId)).filter(([table]) => !WORK.has(table)));
}

/** Waits until no announced work is in progress: it would insert rows while others are removed. */
async function isQuiet(orgId: string): Promise<void> {
  const underWay = async () => {
    const counts = Object.values(await ledger.queues.counts());
    return counts.some(({ waiting, active, delayed }) => waiting + active + delayed > 0);
  };
  while ((await rowsOf(orgId))['outbox'] || (await underWay())) await sleep(50);
}

/** An organization with something in every table. */
async function full(place: Place): Promise<string> {
  const { database, orgId } = place;
  const { db } = database;
  await addUser(db, orgId, { email: 'a@example.com', role: 'admin' });
  const { id: keyId, key } = await createKey(db, orgId, { scope: 'full', name: 'one' });
  await addUsage(db, randomUUID(), [{ orgId, keyId, hour: 480_000, requests: 1, rejected: 0, errors: 0 }]);
  const { id: domainId } = await addDomain(db, orgId, 'alpha.example', {});
  const mailbox = await openMailbox(place);
  await mailbox.bring(tlsJson({}), placementJson({}), failureMail({}));
  await given(place, [...reportsOf(numbers(0, 30)), Buffer.from('no report')]);
  await computeHealth({ database }, { orgId, domainId });
  const day = { day: '2026-01-01', messages: 1, score: 1, compliance: 1, spf: 1, dkim: 1, policy: 1 };
  await saveSnapshots(db, orgId, [day as never]);
  const [{ id: reportId }] = (await db
    .selectFrom('report')
    .select('id')
    .where('org_id', '=', orgId)
    .limit(1)
    .execute()) as [{ id: string }];
  const [eventId, targetId] = [newId(), newId()];
  for (const insert of [
    sql`insert into parse_warning (org_id, report_id, position, code) values (${orgId}, ${reportId}, 1, 'x') on conflict do nothing`,
    sql`insert into unjudged_report (org_id, report_id, step, since) values (${orgId}, ${reportId}, 'classify', ${NEVER_SWEPT})`,
    sql`insert into unjudged_source (org_id, source_ip, since) values (${orgId}, '192.0.2.252', ${NEVER_SWEPT})`,
    sql`insert into rollup_dirty (org_id, source_ip, day, domain_id, since) values (${orgId}, '192.0.2.251', '2026-01-01', ${domainId}, ${NEVER_SWEPT})`,
    sql`insert into outbox (id, org_id, job, payload) values (${newId()}, ${orgId}, 'repairRollups', ${JSON.stringify({ orgId })})`,
    sql`insert into upload_hour (org_id, hour) values (${orgId}, date_trunc('hour', now()))`,
    sql`insert into mailbox_day (org_id, day) values (${orgId}, '2026-01-01')`,
    sql`insert into upload_under_way (org_id, id, claimed_by, bytes) values (${orgId}, ${newId()}, 1, 1)`,
    sql`insert into upload_ticket (org_id, token_sha256, expires_at) values (${orgId}, sha256('a'), now() + interval '1 hour')`,
    sql`insert into source_standing (org_id, source_ip, facts_version, settled) values (${orgId}, '192.0.2.250', 0, true) on conflict do nothing`,
    sql`insert into source_standing_count (org_id, abuse_status, sources) values (${orgId}, 'clean', 1) on conflict do nothing`,
    sql`insert into ip_interest (org_id, address) values (${orgId}, '192.0.2.250') on conflict do nothing`,
    sql`insert into domain_check (org_id, domain_id, subject, status, has_record, checked_at, changed_at) values (${orgId}, ${domainId}, 'spf', 'ok', true, now(), now()) on conflict do nothing`,
    sql`insert into domain_check_change (org_id, domain_id, id, subject, at, status, details, records) values (${orgId}, ${domainId}, ${newId()}, 'spf', now(), 'ok', '', '{}')`,
    sql`insert into domain_evidence (org_id, domain_id, subject, body, read_at) values (${orgId}, ${domainId}, 'dkim_keys', '[]', now()) on conflict do nothing`,
    sql`insert into event (org_id, id, type, severity, dedup_key, title, message, link) values (${orgId}, ${eventId}, 't', 'info', 'k', '', '', '')`,
    sql`insert into delivery_target (org_id, id, kind, address, types, least_severity) values (${orgId}, ${targetId}, 'webhook', 'https://a.example', '{}', 'info')`,
    sql`insert into event_delivery (org_id, id, event_id, target_id, severity, title, message, due_at) values (${orgId}, ${newId()}, ${eventId}, ${targetId}, 'info', '', '', now())`,
    sql`insert into event_condition (org_id, key, type, severity, holds, raised_at, event_id) values (${orgId}, 'k', 't', 'info', true, now(), ${eventId})`,
    sql`insert into event_burst (org_id, type) values (${orgId}, 't')`,
    sql`insert into event_watch (org_id, domain_id, due_at) values (${orgId}, ${domainId}, now()) on conflict do nothing`,
    sql`insert into event_source (org_id, domain_id, source_ip, due_at, since) values (${orgId}, ${domainId}, '192.0.2.249', now(), now())`,
    sql`insert into digest_subscription (org_id, user_id, frequency, due_day, due_at) select org_id, id, 'weekly', '2036-01-01', '2036-01-01' from app_user where org_id = ${orgId} limit 1`,
    sql`insert into sender_decision (org_id, domain_id, sender, decision, decided_by, decided_at) values (${orgId}, ${domainId}, 'sendgrid', 'ours', 'cli', now())`,
    sql`insert into sender_decision_change (org_id, domain_id, id, sender, decision, changed_by, changed_at) values (${orgId}, ${domainId}, ${newId()}, 'sendgrid', 'ours', 'cli', now())`,
    sql`insert into enforcement_day (org_id, domain_id, day, revision, sources, names, fates, messages) values (${orgId}, ${domainId}, '2025-01-01', ${newId()}, '{}', '{}', '{}', '{}') on conflict do nothing`,
    sql`insert into sending_subdomain (org_id, domain_id, name, first_day, day, messages) values (${orgId}, ${domainId}, 'a.alpha.example', '2026-01-01', '2026-01-01', 1) on conflict do nothing`,
    sql`insert into dkim_selector_day (org_id, domain_id, day, signer, selector, messages) values (${orgId}, ${domainId}, '2026-01-01', 's', 's', 1) on conflict do nothing`,
    sql`insert into dkim_selector (org_id, domain_id, signer, selector, messages, last_day) values (${orgId}, ${domainId}, 's', 's', 1, '2026-01-01') on conflict do nothing`,
  ])
    await insert.execute(db);
  return key;
}

it('nothing is left of an organization that was removed, and nothing of another is touched', async () => {
  const [leaving, staying] = [await another(ledger), await another(ledger)];
  const key = await full(leaving);
  const shared = reportsOf(numbers(0, 5));
  await given(staying, [...shared, ...reportsOf(numbers(50, 60))]);
  const before = await keptRowsOf(staying.orgId);
  const figures = await figuresOf(staying);
  expect([...organizationTables, 'raw_message'].toSorted()).toEqual(await tablesOf());
  const filled = new Set(Object.keys(await rowsOf(leaving.orgId)));
  expect((await tablesOf()).filter((table) => !filled.has(table) && !WORK.has(table))).toEqual([]);
  const own = await ledger.database.db
    .selectFrom('raw_message')
    .select('sha256')
    .where('org_id', '=', leaving.orgId)
    .where('sha256', 'not in', (eb) =>
      eb.selectFrom('raw_message').select('sha256').where('org_id', '=', staying.orgId),
    )
    .execute();
  expect(own.length).toBeGreaterThan(20);

  await isQuiet(leaving.orgId);
  await leaveOrganization(ledger.database, leaving.orgId);
  expect(await identifyCaller(ledger.database.db, key)).toBeUndefined();
  expect(await listMailboxes(ledger.database.db, leaving.orgId)).toEqual([]);
  await remove(leaving);
  expect(await rowsOf(leaving.orgId)).toEqual({});
  const organizations = ledger.database.db.selectFrom('organization').select('id').where('id', '=', leaving.orgId);
  expect(await organizations.execute()).toEqual([]);
  expect(own).not.toEqual([]);
  for (const { sha256 } of own) await expect(ledger.blobs.get(sha256)).rejects.toMatchObject({ code: 'blob_missing' });
  expect(await rowsWithoutBytes(ledger)).toEqual([]);
  expect(await keptRowsOf(staying.orgId)).toEqual(before);
  expect(await figuresOf(staying)).toEqual(figures);
  await remove(leaving);
  await repairRollups(ledger, leaving);
  await computeHealth(ledger, { orgId: leaving.orgId, domainId: newId() });
  expect(await rowsOf(leaving.orgId)).toEqual({});
});

it('its name is free at once, and it stays until what was begun for it must have ended', async () => {
  const { database } = ledger;
  const name = randomUUID();
  const { id: orgId } = await createOrganization(database.db, { name });
  const place = { ...ledger, orgId };
  await given(place, reportsOf([1]));
  await leaveOrganization(database, orgId);
  await leaveOrganization(database, orgId);
  expect((await createOrganization(database.db, { name })).id).not.toBe(orgId);
  await remove(place, 600);
  expect(await rowsOf(orgId)).toEqual({});
  await receive(place, ...reportsOf([2])); // a process that had not noticed
  await settled(place);
  await remove(place, 0);
  expect(await rowsOf(orgId)).toEqual({});
  await expect(receive(place, ...reportsOf([3]))).rejects.toThrow('foreign key');
});

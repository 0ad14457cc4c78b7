import type { Db } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

/** Tables that no organization owns, each with what it is instead. All others belong to organizations. */
const SHARED: { readonly [table: string]: string } = {
  schema_migration: 'of the installation',
  plan: 'of the installation, a few rows',
  organization: 'the list of organizations: its id is what org_id means elsewhere',
  chore: 'of the installation, a few rows',
  usage_batch: 'which batches of counts were written: an id each, for a while',
  outbox: 'work of all, in the order of its ids, deleted when handed on',
  ip_enrichment: 'facts about hosts, not about tenants',
  blocklist_result: 'facts about hosts',
  blocklist_zone: 'facts about blocklists',
  lookup_budget: 'of the installation, a row a day',
  ip_interest: 'led by the address: which organizations its news concerns',
  removed_blob: 'bytes are stored once for all',
  person: 'people, who may belong to several organizations',
  person_identity: 'of a person',
  session: 'of a person: it is found before the organization is known',
  sign_in_link: 'of a person',
  sign_in_attempt: 'counted before the person is known',
  operator: 'of a person: who runs the installation',
  installation_state: 'of the installation, a few rows',
};

/** Indexes of organizations' tables that are led by something else, each with the query that has no organization. */
const NOT_LED: { readonly [index: string]: string } = {
  api_key_prefix_key: 'a caller: the organization is known by the key alone',
  app_user_email: 'a person: to which organizations do they belong',
  api_key_expiring: 'the watch over all keys',
  usage_hour_hour: 'the watch over all quotas',
  raw_message_held: 'the release of what waited for the next day',
  raw_message_of_bytes: 'the deletion of bytes: other references',
  raw_message_repeating: 'led by it all the same: it is the beginning of each value',
  raw_message_unread: 'the watch over unread mail',
  report_revision_unsettled: 'the sweep',
  unjudged_report_by_age: 'the sweep',
  unjudged_signature_by_age: 'the sweep',
  unjudged_source_by_age: 'the sweep',
  domain_monitored_by_person: 'shared mailboxes: to whom does a report belong',
  digest_subscription_due: 'the plan of digests',
  domain_check_due: 'the plan of checks',
  domain_check_planned: 'the plan of checks',
  domain_health_due: 'the plan of healths',
  domain_health_planned: 'the plan of healths',
  org_total_by_snapshots_due: 'the plan of snapshots',
  event_watch_due: 'the plan of looks at domains',
  event_condition_kept: 'the watches over all organizations',
  event_delivery_age: 'the figure of what waits',
};

/** Tables that grow with every report and can be split by month besides. */
const BY_MONTH = ['stored_record', 'source_domain_day'];

it('gives every table to an organization, by the first column of its key, or names it as shared', async () => {
  await using database = await cloneDatabase();
  expect(await tablesOfNobody(database.db)).toEqual(Object.keys(SHARED).toSorted());
  await sql`create table a_newcomer (id uuid primary key, org_id uuid not null)`.execute(database.db);
  await sql`create table b_newcomer (org_id uuid not null)`.execute(database.db);
  expect(await tablesOfNobody(database.db)).toEqual([...Object.keys(SHARED), 'a_newcomer', 'b_newcomer'].toSorted());
});

it('leads every index of an organization’s table by it, but for those that are asked without one', async () => {
  await using database = await cloneDatabase();
  const names = async () => (await indexesLedByOthers(database.db)).map(({ index }) => index);
  expect(await names()).toEqual(Object.keys(NOT_LED).toSorted());
  await sql`create index a_newcomer on report (day, org_id)`.execute(database.db);
  expect(await names()).toContain('a_newcomer');
});

it('holds the organization in everything unique, but for the one look-up before it is known', async () => {
  await using database = await cloneDatabase();
  const unique = async () =>
    (await indexesLedByOthers(database.db)).filter(({ isUnique }) => isUnique).map(({ index }) => index);
  expect(await unique()).toEqual(['api_key_prefix_key']);
  await sql`create unique index a_newcomer on report (identity)`.execute(database.db);
  expect(await unique()).toEqual(['a_newcomer', 'api_key_prefix_key']);
});

it('lets no foreign key cross organizations', async () => {
  await using database = await cloneDatabase();
  expect(await crossingKeys(database.db)).toEqual([]);
  await sql`alter table mailbox add unique (id)`.execute(database.db);
  await sql`alter table mailbox_item add constraint a_newcomer foreign key (mailbox_id) references mailbox (id)`.execute(
    database.db,
  );
  await sql`alter table outbox add constraint b_newcomer foreign key (org_id, id) references report`.execute(
    database.db,
  );
  expect(await crossingKeys(database.db)).toEqual(['a_newcomer', 'b_newcomer']);
});

it.each(BY_MONTH)('has the day in everything unique of %s, which can be split by month', async (table) => {
  await using database = await cloneDatabase();
  expect(await uniqueWithoutDay(database.db, table)).toEqual([]);
  await sql`create unique index a_newcomer on ${sql.table(table)} (org_id, source_ip)`.execute(database.db);
  expect(await uniqueWithoutDay(database.db, table)).toEqual(['a_newcomer']);
});

it('draws no id from a counter of the database', async () => {
  await using database = await cloneDatabase();
  const sequences = async () =>
    (await sql`select from pg_sequences where schemaname = 'public'`.execute(database.db)).rows;
  expect(await sequences()).toHaveLength(0);
  await sql`create table a_newcomer (id bigint generated always as identity primary key)`.execute(database.db);
  expect(await sequences()).toHaveLength(1);
});

/** Where the column stands that names the organization; a table without one has no such row. */
const LEADER = sql`pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and a.attnotnull`;
const OURS = sql`c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`;
const OWNED = sql`${OURS} and c.relname <> all(${Object.keys(SHARED)}::text[])`;

async function tablesOfNobody(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c where ${OURS} and not exists (
      select from pg_index i join ${LEADER} where i.indrelid = c.oid and i.indisprimary and i.indkey[0] = a.attnum)
    order by c.relname collate "C"`.execute(db);
  return rows.map(({ name }) => name);
}

async function indexesLedByOthers(db: Db): Promise<{ index: string; isUnique: boolean }[]> {
  const { rows } = await sql<{ index: string; isUnique: boolean }>`
    select n.relname::text as index, i.indisunique as "isUnique"
    from pg_class c join pg_index i on i.indrelid = c.oid join pg_class n on n.oid = i.indexrelid left join ${LEADER}
    where ${OWNED} and i.indkey[0] is distinct from a.attnum order by n.relname collate "C"`.execute(db);
  return rows;
}

/**
 * A key may lead to the list of organizations by the organization, and to a row of the same organization; nowhere else.
 */
async function crossingKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select k.conname::text as name
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      left join ${LEADER} left join pg_attribute b on b.attrelid = f.oid and b.attname = case f.relname when 'organization' then 'id' else 'org_id' end
    where k.contype = 'f' and ${OURS}
      and case when c.relname = any(${Object.keys(SHARED)}::text[]) then f.relname <> all(${Object.keys(SHARED)}::text[])
        else k.conkey[1] is distinct from a.attnum or k.confkey[1] is distinct from b.attnum end
    order by k.conname collate "C"`.execute(db);
  return rows.map(({ name }) => name);
}

async function uniqueWithoutDay(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.relname::text as name from pg_index i join pg_class n on n.oid = i.indexrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'day'
    where i.indrelid = ${table}::regclass and i.indisunique and a.attnum <> all(i.indkey::smallint[])`.execute(db);
  return rows.map(({ name }) => name);
}

import { gzipSync } from 'node:zlib';
import { removeReports, saveClasses } from '@dmarc-ledger/ledger';
import { openDatabase, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, reportXml } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';

/** More than the tables' first page; the long run overrides both. */
const REPORTS = Number(process.env['PLANNED_REPORTS'] ?? 120);
const RECORDS = Number(process.env['PLANNED_RECORDS'] ?? 10);
const AT_ONCE = 60;
const GROWING = new Set([
  'raw_message',
  'payload',
  'report',
  'report_revision',
  'stored_record',
  'parse_warning',
  'unjudged_report',
  'source_domain_day',
  'source_domain',
  'source_total',
  'record_detail',
  'dkim_pass',
  'dkim_failure',
  'source_standing',
  'source_address',
  'unjudged_source',
  'awaited_address',
  'ip_interest',
  'event_source',
  'domain_day',
]);

/** Records of large reports, stored one after the other before statistics know of them. */
const LARGE = [3, 300, 3_000, 6_000];

/** Reads reports only for signatures of days to come, which hardly any report has. */
const RARE = 'mark-signatures';

/**
 * Names its rows by an array. A connection that plans it anew while the organization has some hundred deliveries, as
 * after many changes of schemas on the server, may read these by an index: until the first statistics, at 5,000 rows.
 */
const OF_FEW = new Set(['finish-messages']);
/** PostgreSQL 15 and 16 may read the rows of these by an index, also from empty: until the same statistics. */
const OF_FEW_BEFORE_17 = new Set([...OF_FEW, 'keep-judging', 'end-alignment', 'end-judgement']);
/** The tables that statements of few may read so. */
const READ_OF_FEW = new Set(['raw_message', 'unjudged_report']);

interface Prepared {
  name: string;
  text: string;
  types: string[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: PlanNode[];
}

it('takes no statistics of the tables that grow with reports while they are small', async () => {
  await using database = await cloneDatabase();
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relname = any($1) and relnamespace = 'public'::regnamespace
       and reloptions @> array['autovacuum_analyze_threshold=5000']`,
    [[...GROWING]],
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...GROWING].toSorted());
});

it('finds rows by keys while a ledger grows from empty, without statistics', async () => {
  await using ledger = await openLedger('Postgres');
  await takeIn(ledger, 2); // every statement is planned while its tables are all but empty
  const { rows: now } = await ledger.database.pool.query<{ at: string }>('select clock_timestamp()::text as at');
  const { pool } = ledger.database;
  const ofFew = await namesOfFew(pool);
  expect(widePlans(await keptPlans(pool, now[0]!.at), isWide, ofFew)).toEqual([]);
  await takeIn(ledger, REPORTS);
  const names = ['add-to-sources', 'add-to-source-domain-day', 'insert-reports'];
  const plans = await plansWith(names, () => keptPlans(pool, now[0]!.at));
  expect(widePlans(plans, isWide, new Set([...OF_FEW, ...ofFew]))).toEqual([]);
});

it('finds the records of large reports by their key, also on connections that plan while there are no statistics', async () => {
  await using ledger = await openLedger('Postgres');
  const { pool } = ledger.database;
  await pool.query('alter table stored_record set (autovacuum_enabled = off)'); // it would take them meanwhile
  const second = await secondColumns(pool);
  const ofFew = await namesOfFew(pool);
  const isWideOrSkips = (node: PlanNode) => isWide(node) || skipsColumn(node, second);
  for (const records of LARGE) {
    await ledger.handIn(gzipSync(reportXml({ id: `of ${records}`, records: recordsOf(0, records) })));
    await ledger.settled();
    const names = ['change-classes', 'hold-versions', 'add-to-sources'];
    const plans = await plansWith(names, () => newPlans(pool, ledger.databaseUrl));
    expect(widePlans(plans, isWideOrSkips, ofFew), `after a report of ${records} records`).toEqual([]);
  }
});

it('finds records by their key also while its index is large and all but empty, as after the removal of a large report', async () => {
  await using ledger = await openLedger('Postgres');
  const { database, databaseUrl, orgId } = ledger;
  const records = Array.from({ length: 10_000 }, (_, i) => ({ ip: `10.0.0.${i % 50}`, count: 1 }));
  await ledger.handIn(gzipSync(reportXml({ id: 'large', records })));
  await ledger.settled();
  await transact(database, (session) => removeReports(session, orgId, new Date(Date.now() + 60_000)));
  await ledger.handIn(gzipSync(reportXml({ id: 'small', records: recordsOf(0, 3) })));
  await ledger.settled();
  await database.pool.query('vacuum analyze stored_record');
  const connected = openDatabase(databaseUrl, { connections: 1 });
  const found = await database.db
    .selectFrom('stored_record')
    .select(['report_id as reportId', 'position', 'day'])
    .executeTakeFirstOrThrow();
  const judged = { ...found, class: 'needs_review', isProved: false } as const;
  await transact(connected, (session) => saveClasses(session, orgId, [judged]));
  const second = await secondColumns(database.pool);
  const plans = await keptPlans(connected.pool, 'infinity');
  await connected.close();
  expect([...plans.keys()]).toContain('change-classes');
  expect(widePlans(plans, (node) => isWide(node) || skipsColumn(node, second))).toEqual([]);
});

/** Reads plans until these statements are among them: a connection that is in use shows its own a moment later. */
function plansWith(names: readonly string[], read: () => Promise<Map<string, PlanNode>>) {
  return vi.waitFor(
    async () => {
      const plans = await read();
      expect([...plans.keys()]).toEqual(expect.arrayContaining([...names]));
      return plans;
    },
    { timeout: 30_000, interval: 200 },
  );
}

/** What is found in the plans, apart from what statements of few read of an organization by an index. */
function widePlans(
  plans: ReadonlyMap<string, PlanNode>,
  isFound: (node: PlanNode) => boolean,
  ofFew: ReadonlySet<string> = new Set(),
) {
  return [...plans]
    .filter(([name]) => name !== RARE)
    .flatMap(([name, plan]) =>
      nodesOf(plan)
        .filter((node) => isFound(node) && !(ofFew.has(name) && isReadOfFew(node)))
        .map((node) => ({ name, node })),
    );
}

function isReadOfFew(node: PlanNode): boolean {
  return READ_OF_FEW.has(node['Relation Name'] ?? '') && conditionOf(node).includes('org_id');
}

/** The statements that this version of PostgreSQL may plan so while there are no rows at all. */
async function namesOfFew(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  return rows[0]!.version < 170_000 ? OF_FEW_BEFORE_17 : new Set();
}

/** The second column of each index; the first is the organization. */
async function secondColumns(pool: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; second: string }>(
    `select i.relname as name, a.attname as second from pg_class i join pg_attribute a on a.attrelid = i.oid and a.attnum = 2
      where i.relkind = 'i' and i.relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map((row) => [row.name, row.second]));
}

/** Some of the mail fails, so that classes are given; every report has other addresses. */
async function takeIn(ledger: Ledger, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    const contents = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, i) =>
      gzipSync(reportXml({ id: `${count}-${made + i}`, records: recordsOf(made + i) })),
    );
    await ledger.handIn(...contents);
  }
  await ledger.settled();
}

function recordsOf(report: number, count = RECORDS) {
  return Array.from({ length: count }, (_, i) => {
    const number = report * count + i;
    const ip = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    return i % 5 === 0 ? { ip, count: 1 } : { ip, count: 2, dkim: 'pass' as const, spf: 'pass' as const };
  });
}

/**
 * The plans that the connections keep of the statements that they prepared before `before`, by name. A connection
 * opened later plans with a few hundred rows, where two indexes cost the same; it plans anew at 5,000 (docs/decisions).
 */
async function keptPlans(pool: pg.Pool, before: string): Promise<Map<string, PlanNode>> {
  const plans = new Map<string, PlanNode>();
  await forEachClient(pool, async (client) => {
    for (const statement of await preparedBy(client, before))
      plans.set(statement.name, await planOf(client, statement));
  });
  return plans;
}

/** The plans that a new connection makes of the statements that those of the pool have prepared, by name. */
async function newPlans(pool: pg.Pool, url: string): Promise<Map<string, PlanNode>> {
  const statements = new Map<string, Prepared>();
  await forEachClient(pool, async (client) => {
    for (const statement of await preparedBy(client, 'infinity')) statements.set(statement.name, statement);
  });
  const plans = new Map<string, PlanNode>();
  const client = new pg.Client(url);
  await client.connect();
  for (const [name, statement] of statements) {
    const types = statement.types.length > 0 ? `(${statement.types.join()})` : '';
    await client.query(`prepare "${name}" ${types} as ${statement.text}`);
    plans.set(name, await planOf(client, statement));
  }
  await client.end();
  return plans;
}

async function forEachClient(pool: pg.Pool, visit: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of clients) {
    await visit(client);
    client.release();
  }
}

async function preparedBy(client: pg.PoolClient, before: string): Promise<Prepared[]> {
  const { rows } = await client.query<Prepared>(
    `select name, statement as text, parameter_types::text[] as types from pg_prepared_statements
      where name <> '' and prepare_time < $1`,
    [before],
  );
  return rows;
}

async function planOf(client: pg.ClientBase, { name, types }: Prepared): Promise<PlanNode> {
  const values = types.map(() => 'null').join();
  await client.query('begin; set local plan_cache_mode = force_generic_plan');
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (format json) execute "${name}"${values && `(${values})`}`,
  );
  await client.query('rollback');
  return rows[0]!['QUERY PLAN'][0]!.Plan;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Reads rows of a table that grows by less than a key: all of them, or all of the organization. */
function isWide(node: PlanNode): boolean {
  return reads(node) && !/\bAND\b/.test(conditionOf(node));
}

/**
 * Reads all of the organization by an index whose second column no condition names. A connection that plans anew beside
 * many changes of schemas, with heights of indexes that it read before they grew, may do so until the first statistics.
 */
function skipsColumn(node: PlanNode, secondColumn: ReadonlyMap<string, string>): boolean {
  const second = secondColumn.get(node['Index Name'] ?? '');
  return reads(node) && second !== undefined && !new RegExp(`\\b${second}\\b`).test(conditionOf(node));
}

function reads(node: PlanNode): boolean {
  return node['Node Type'].endsWith('Scan') && GROWING.has(node['Relation Name'] ?? '');
}

function conditionOf(node: PlanNode): string {
  return node['Index Cond'] ?? node['Recheck Cond'] ?? '';
}

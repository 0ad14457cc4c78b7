import { join } from 'node:path';
import { startApi } from '@dmarc-ledger/api-service';
import { createKey, createOrganization, organizationTables, removeRows } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { testSeed } from '@dmarc-ledger/testkit/random';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.ts';
import { partitionByOrganization } from './support/partitions.ts';
import { makeCorpus, writeCorpus } from './support/synthetic.ts';
import { reportedTotals } from './support/reported-totals.ts';
import { succeed } from './support/succeed.ts';
import { sumUp } from './support/truth.ts';

const seed = testSeed();
const NAMES = ['One', 'Two', 'Three'];
const LEFT_BEHIND = [...organizationTables, 'raw_message'];

it(`returns the figures in the reports, without drift, although its tables are partitioned half-way (seed ${seed})`, async () => {
  using folder = temporaryFolder();
  await using database = await cloneDatabase();
  const { reports, files } = makeCorpus(60, seed);
  const [first, all] = [join(folder.path, 'first'), join(folder.path, 'all')];
  writeCorpus({ files: files.slice(0, files.length / 2) }, [first], seed);
  writeCorpus({ files }, [all], seed);
  const fixture = { DATABASE_URL: database.url, DATA_DIR: join(folder.path, 'data') };
  const organizations = [];
  for (const name of NAMES) {
    const { id } = await createOrganization(database.db, { name });
    organizations.push({ id, key: (await createKey(database.db, id, { scope: 'read' })).key });
  }
  for (const name of NAMES) await succeed(['ingest', first, '--org', name], fixture);
  const held = await countRows(database.db);

  const tables = await partitionByOrganization(database.url, { parts: 3, days: [-40, -13, 20].map(dayAway) });
  expect(tables.length).toBeGreaterThan(40);
  expect(await countRows(database.db)).toEqual(held);
  for (const name of NAMES) await succeed(['ingest', all, '--org', name], fixture);
  // an organization's rows are in one partition, except in tables split by days: the reports are of three weeks
  const { id } = organizations[0]!;
  expect(await countPartitions(database.db, 'report', id)).toBe(1);
  expect(await countPartitions(database.db, 'stored_record', id)).toBe(2);

  const api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log: silent });
  for (const { key } of organizations) expect(await reportedTotals(api.url, key)).toEqual(sumUp(reports));
  expect(await audit(fixture)).toEqual(NAMES.map((name) => ({ name, drift: 0 })));

  // old data is deleted, and all data of one organization; the others are unchanged
  const [old, gone, other] = organizations;
  await database.db
    .updateTable('report')
    .set({ received_at: new Date('2020-01-01') })
    .where('org_id', '=', old!.id)
    .execute();
  await succeed(['purge', '--older-than', '400'], fixture);
  expect(await reportedTotals(api.url, old!.key)).toEqual(sumUp([]));
  while ((await removeRows(database.db, gone!.id)) > 0);
  expect(await countRows(database.db, gone!.id)).toEqual(LEFT_BEHIND.map((table) => ({ table, rows: 0 })));
  expect(await reportedTotals(api.url, other!.key)).toEqual(sumUp(reports));
  expect((await audit(fixture)).map(({ drift }) => drift)).toEqual(NAMES.map(() => 0));
  await api.close();
});

const silent = openLogger({ name: 'api', level: 'silent' });

type Fixture = { DATABASE_URL: string; DATA_DIR: string };

async function audit(fixture: Fixture): Promise<{ name: string; drift: number }[]> {
  const audits: { name: string; drift: number }[] = JSON.parse(await succeed(['audit', '--json'], fixture));
  return audits
    .map(({ name, drift }) => ({ name, drift }))
    .toSorted((a, b) => NAMES.indexOf(a.name) - NAMES.indexOf(b.name));
}

async function countRows(db: Db, orgId?: string): Promise<{ table: string; rows: number }[]> {
  const counted = [];
  for (const table of LEFT_BEHIND) {
    const { rows } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)} ${orgId ? sql`where org_id = ${orgId}` : sql``}`.execute(db);
    counted.push({ table, rows: rows[0]!.rows });
  }
  return counted;
}

/** In how many partitions the rows of an organization lie. */
async function countPartitions(db: Db, table: string, orgId: string): Promise<number> {
  const { rows } =
    await sql`select tableoid from ${sql.table(table)} where org_id = ${orgId} group by tableoid`.execute(db);
  return rows.length;
}

function dayAway(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

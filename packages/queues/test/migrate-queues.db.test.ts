import { migrateQueues } from '@dmarc-ledger/queues';
import { emptyDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
beforeEach(async () => {
  database = await emptyDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

const versions = async () => (await client.query('select version from bullmq.migration order by version')).rows;

it('creates the tables of the queues once, whatever number of processes start', async () => {
  await Promise.all([1, 2, 3, 4].map(() => migrateQueues(database.url)));
  const found = await versions();
  expect(found.length).toBeGreaterThan(5);
  expect(new Set(found.map(({ version }) => version)).size).toBe(found.length);
});

it('does not lock tables that are up to date, so that a start waits for no reader', async () => {
  await migrateQueues(database.url);
  const before = await versions();
  await client.query('begin; lock table bullmq.migration in access share mode');
  await migrateQueues(database.url);
  await client.query('commit');
  expect(await versions()).toEqual(before);
});

it('applies a migration that is not recorded', async () => {
  await migrateQueues(database.url);
  await client.query('delete from bullmq.migration where version = (select max(version) from bullmq.migration)');
  await expect(migrateQueues(database.url)).rejects.toThrow('already exists'); // as the last one was applied before
});

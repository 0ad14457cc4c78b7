import { openMetrics, startAdmin, type Admin } from '@dmarc-ledger/runtime';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readinessOf } from '../src/readiness.ts';

const metrics = await openMetrics({ service: 'sample', version: '1.2.3' });
let database: ClonedDatabase;
let admins: Admin[];

beforeEach(async () => {
  database = await cloneDatabase();
  admins = [];
});
afterEach(async () => {
  for (const admin of admins) await admin.close();
  await database[Symbol.asyncDispose]();
});

/** The admin port of a process that has just been started, as a load balancer asks it. */
async function started(queue?: () => Promise<boolean>) {
  const admin = await startAdmin({ host: '127.0.0.1', port: 0, metrics, ready: readinessOf(database, queue) });
  admins.push(admin);
  return async () => {
    const response = await fetch(`http://127.0.0.1:${admin.port}/readyz`);
    return { status: response.status, body: await response.json() };
  };
}

const isUp = async () => true;
const lastMigration = sql`(select max(name) from schema_migration)`;

it('is ready with the database, the queue and every migration', async () => {
  const ready = await started(isUp);
  expect(await ready()).toEqual({ status: 200, body: { database: true, queue: true, migrations: true } });
});

it('is not ready while a migration waits, and is as soon as it has been applied', async () => {
  const ready = await started();
  await sql`create table put_aside as select * from schema_migration where name = ${lastMigration}`.execute(
    database.db,
  );
  await sql`delete from schema_migration where name = ${lastMigration}`.execute(database.db);
  expect(await ready()).toEqual({ status: 503, body: { database: true, migrations: false } });
  await sql`insert into schema_migration select * from put_aside`.execute(database.db);
  expect(await ready()).toEqual({ status: 200, body: { database: true, migrations: true } });
});

it('is not ready on a schema that another migration of the same name has made', async () => {
  const ready = await started();
  await sql`update schema_migration set sha256 = 'another' where name = ${lastMigration}`.execute(database.db);
  expect(await ready()).toMatchObject({ status: 503, body: { migrations: false } });
});

it('is not ready on a database without our tables, and makes none', async () => {
  const ready = await started();
  await sql`drop table schema_migration`.execute(database.db);
  expect(await ready()).toMatchObject({ status: 503, body: { migrations: false } });
  expect((await sql`select from pg_tables where tablename = 'schema_migration'`.execute(database.db)).rows).toEqual([]);
});

it('stays ready beside the schema of a newer version: the one before goes on until it is replaced', async () => {
  const ready = await started();
  await sql`insert into schema_migration (name, sha256) values ('9999_newer.sql', 'new')`.execute(database.db);
  expect(await ready()).toMatchObject({ status: 200, body: { migrations: true } });
});

it('does not ask the tables of migrations again right after it found all there', async () => {
  const ready = await started();
  expect(await ready()).toMatchObject({ status: 200 });
  await sql`drop table schema_migration`.execute(database.db);
  expect(await ready()).toMatchObject({ status: 200 });
});

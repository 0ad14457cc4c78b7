import { openDatabase, transact } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

it('ends a transaction inside a long statement when its signal is aborted, with the reason, and stores nothing', async () => {
  await using database = await cloneDatabase();
  const stopping = new AbortController();
  const work = transact(
    database,
    async ({ db }) => {
      await sql`create table half_done ()`.execute(db);
      setTimeout(() => stopping.abort(new Error('the process is stopping')), 50);
      await sql`select pg_sleep(600)`.execute(db);
    },
    { unlimited: true, signal: stopping.signal },
  );
  await expect(work).rejects.toThrow('the process is stopping');
  expect(await tables(database.db)).not.toContain('half_done');
});

it('starts no transaction once its signal is aborted', async () => {
  await using database = await cloneDatabase();
  const signal = AbortSignal.abort(new Error('the process is stopping'));
  await expect(transact(database, async () => 'ran', { signal })).rejects.toThrow('the process is stopping');
});

it('closes although a statement goes on for minutes; its transaction is rolled back', async () => {
  await using database = await cloneDatabase();
  const other = openDatabase(database.url);
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const work = transact(
    other,
    async ({ db }) => {
      await sql`create table half_done ()`.execute(db);
      begin();
      await sql`select pg_sleep(600)`.execute(db);
    },
    { unlimited: true },
  );
  work.catch(() => undefined); // awaited below; it is tried again first, on a pool that is closed
  await begun;
  await other.close();
  await expect(work).rejects.toThrow('after calling end on the pool');
  expect(await tables(database.db)).not.toContain('half_done');
});

async function tables(db: Parameters<ReturnType<typeof sql>['execute']>[0]): Promise<string[]> {
  const { rows } = await sql<{ tablename: string }>`select tablename from pg_tables`.execute(db);
  return rows.map(({ tablename }) => tablename);
}

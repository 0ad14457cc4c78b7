import { emptyDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { applyMigration } from '../src/apply-migration.ts';

it('a migration that locks tables in another order than running processes is applied while they go on', async () => {
  await using database = await emptyDatabase();
  const [migrating, running] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([migrating.connect(), running.connect()]);
  await running.query(`
    create table report (id integer); create table stored_record (id integer);
    create table schema_migration (name text, sha256 text)`);
  const waits = 'select from pg_locks where not granted';
  const migration = {
    name: '0001_other_order',
    sha256: 'x',
    sql: `create index made_first on stored_record (id);
      do $$ begin while not exists (${waits}) loop perform pg_sleep(0.01); end loop; perform pg_sleep(1.5); end $$;
      create index made_then on report (id)`,
  };
  const done = new AbortController();
  const applied = applyMigration(migrating, migration).finally(() => done.abort());
  let stored = 0;
  const holdsIndex = async () =>
    (await running.query(`select from pg_locks where relation = 'stored_record'::regclass and mode = 'ShareLock'`))
      .rowCount;
  await vi.waitUntil(holdsIndex, { timeout: 30_000 });
  while (!done.signal.aborted) {
    await running.query('begin; insert into report values (1)');
    await running.query('insert into stored_record values (1); commit');
    stored += 1;
  }
  await applied;
  const { rows } = await running.query(
    `select indexname from pg_indexes where tablename in ('report', 'stored_record') order by 1`,
  );
  expect(rows).toEqual([{ indexname: 'made_first' }, { indexname: 'made_then' }]);
  expect((await running.query('select from report')).rowCount).toBe(stored);
  await Promise.all([migrating.end(), running.end()]);
});

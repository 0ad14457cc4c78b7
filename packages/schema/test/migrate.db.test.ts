import { migrate, migrationStatus } from '@dmarc-ledger/schema';
import { emptyDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { expect, it, vi } from 'vitest';

it('a migration gives way to a long transaction of the running version, and is applied after it', async () => {
  await using database = await emptyDatabase();
  await migrationStatus(database.url); // creates the table of migrations
  const [running, watching] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([running.connect(), watching.connect()]);
  await running.query('begin; lock table schema_migration in share mode');
  const waiting = async () =>
    (
      await watching.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rowCount;

  const migrated = migrate(database.url);
  await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 30_000 });
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 30_000 });
  await running.query('commit');
  await Promise.all([running.end(), watching.end()]);
  expect((await migrated).pending).toEqual([]);
});

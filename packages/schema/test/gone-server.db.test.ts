import { isStorageFailure, openDatabase, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, faultProxy, type ClonedDatabase, type FaultProxy } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a server that is gone without a word', () => {
  let database: ClonedDatabase;
  let line: FaultProxy;
  let url: string;

  beforeAll(async () => {
    database = await cloneDatabase();
    const own = new URL(database.url);
    line = await faultProxy(Number(own.port));
    own.port = String(line.port);
    url = own.href;
  });
  afterAll(async () => {
    await line.close();
    await database[Symbol.asyncDispose]();
  });

  it('is given up soon after a statement should have been answered, and asked again on another connection', async () => {
    const away = openDatabase(url, { statementTimeoutMs: 200, connections: 1 });
    await sql`select 1`.execute(away.db);
    line.toxic.blackHole = true;
    const failure = await sql`select 1`.execute(away.db).catch((error: unknown) => error);
    line.toxic.blackHole = false;
    expect(isStorageFailure(failure)).toBe(true);
    expect((await sql`select 1 as one`.execute(away.db)).rows).toEqual([{ one: 1 }]);
    await away.close();
  });

  it('is given up in a transaction, which is run again', async () => {
    const away = openDatabase(url, { statementTimeoutMs: 200, connections: 1 });
    let runs = 0;
    const rows = await transact(away, async ({ db }) => {
      runs += 1;
      line.toxic.blackHole = runs === 1;
      const asking = sql<{ one: number }>`select 1 as one`.execute(db);
      return (await asking.finally(() => (line.toxic.blackHole = false))).rows;
    });
    expect([rows, runs]).toEqual([[{ one: 1 }], 2]);
    await away.close();
  });

  it('has what is not limited take its time', async () => {
    const near = openDatabase(database.url, { statementTimeoutMs: 100, connections: 1 });
    const slow = sql`select pg_sleep(6)`;
    await transact(near, ({ db }) => slow.execute(db), { unlimited: true });
    await expect(slow.execute(near.db)).rejects.toMatchObject({ code: '57014' });
    await near.close();
  });

  it('notices, for its part, a client that is gone', async () => {
    const near = openDatabase(database.url); // by TCP
    const { rows } = await sql`select current_setting('tcp_keepalives_idle') as idle,
      current_setting('tcp_keepalives_count') as count`.execute(near.db);
    expect(rows).toEqual([{ idle: '30', count: '3' }]);
    await near.close();
  });
});

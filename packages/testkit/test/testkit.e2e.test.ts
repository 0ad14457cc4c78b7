import { cloneDatabase, emptyDatabase, redisServer } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { expect, it } from 'vitest';

it('gives every test a migrated database of its own', async () => {
  await using one = await cloneDatabase();
  await using two = await cloneDatabase();
  await one.pool.query('create table only_here ()');
  const count = `select count(*)::int as n from pg_tables where tablename in ('only_here', 'organization')`;
  expect((await one.pool.query<{ n: number }>(count)).rows).toEqual([{ n: 2 }]);
  expect((await two.pool.query<{ n: number }>(count)).rows).toEqual([{ n: 1 }]);
});

it('drops the database when the test is done with it', async () => {
  const database = await emptyDatabase();
  await database[Symbol.asyncDispose]();
  await expect(new pg.Client(database.url).connect()).rejects.toThrow(/does not exist/);
});

it('gives a Redis that can be restarted where it was', async () => {
  const redis = await redisServer();
  await redis.restart();
  await redis.flushAll();
  await redis.stop();
  await expect(redis.flushAll()).rejects.toThrow(/ECONNREFUSED/);
  await redis.restart();
  await redis.stop();
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { GradualPool, openDatabase } from '@dmarc-ledger/schema';
import { emptyDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let pool: GradualPool;

beforeAll(async () => void (database = await emptyDatabase()));
afterAll(async () => await database[Symbol.asyncDispose]());
beforeEach(() => void (pool = open({ max: 5 })));
afterEach(async () => await pool.end());

/** Its connections may be closing yet when their database is dropped, which is an error of the pool. */
const open = (options: pg.PoolConfig = {}) =>
  new GradualPool({ connectionString: database.url, ...options }).on('error', () => undefined);
const pidOf = async (client: pg.PoolClient) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid;

it('answers a burst of statements by fewer connections than statements', async () => {
  pool = open({ max: 50 });
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => pool.query('select $1::int as i', [i])));
  expect(answers.map(({ rows }) => rows[0].i)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect(pool.totalCount).toBeLessThan(25);
  expect([pool.idleCount, pool.waitingCount]).toEqual([pool.totalCount, 0]);
});

it('opens no further connection for callers that soon get one that is released', async () => {
  const first = await pool.connect();
  const answers = [pool.query('select 1 as one'), pool.query('select 1 as one')];
  first.release();
  for (const { rows } of await Promise.all(answers)) expect(rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount).toBe(1);
});

it('does not give out a connection again that the server is closing', async () => {
  const one = openDatabase(database.url, { connections: 1 });
  for (let round = 0; round < 20; round += 1) {
    const ending = sql`select pg_terminate_backend(pg_backend_pid())`.execute(one.db);
    await expect(ending).rejects.toMatchObject({ code: '57P01' });
    expect((await sql`select 1 as one`.execute(one.db)).rows).toEqual([{ one: 1 }]);
  }
  await one.close();
});

it('opens another connection for a caller whose turn does not come soon', async () => {
  const first = await pool.connect();
  const pid = await pidOf(first);
  const [next, last] = [pool.connect(), pool.connect()];
  first.release();
  const held = await next;
  const opened = await last;
  expect(await pidOf(held)).toBe(pid);
  expect(await pidOf(opened)).not.toBe(pid);
  held.release();
  opened.release();
  expect(pool.totalCount).toBe(2);
});

it('opens as many connections as are held at once, up to its limit', async () => {
  const held = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
  const pids = await Promise.all(held.map(pidOf));
  expect(new Set(pids).size).toBe(5);
  const sixth = pool.connect();
  held.shift()?.release();
  expect(await pidOf(await sixth)).toBe(pids[0]);
  for (const client of [...held, await sixth]) client.release();
});

it('opens another connection for a caller that waits for one that is released broken', async () => {
  const first = await pool.connect();
  const [opening, waiting] = [pool.connect(), pool.connect()];
  first.release(new Error('broken'));
  const pids = await Promise.all([pidOf(await opening), pidOf(await waiting)]);
  expect(new Set(pids).size).toBe(2);
  for (const client of [await opening, await waiting]) client.release();
});

it('refuses a caller after its time when all connections stay in use', async () => {
  pool = open({ max: 1, connectionTimeoutMillis: 1_000 });
  const held = await pool.connect();
  await expect(pool.connect()).rejects.toThrow('timeout exceeded');
  held.release();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

describe('behind a proxy that leaves connections without an answer', () => {
  let proxy: Server;
  let silent: number;
  let connectionString: string;

  beforeEach(async () => {
    const { port, hostname } = new URL(database.url);
    proxy = createServer((socket) => {
      socket.on('error', () => undefined);
      if (silent-- > 0) return;
      const server = connect(Number(port), hostname).on('error', () => socket.destroy());
      socket.pipe(server).pipe(socket);
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const at = proxy.address() as AddressInfo;
    connectionString = Object.assign(new URL(database.url), { host: `127.0.0.1:${at.port}` }).href;
  });
  afterEach(() => void proxy.close());

  it('refuses the callers whose time is over, and serves the next ones', async () => {
    silent = 3;
    pool = open({ connectionString, connectionTimeoutMillis: 1_000 });
    const refused = await Promise.allSettled([pool.connect(), pool.connect(), pool.query('select 1')]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(pool.totalCount).toBe(0);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('serves a caller while the connection of another does not open', async () => {
    silent = 1;
    pool = open({ connectionString, connectionTimeoutMillis: 4_000 });
    const ended: string[] = [];
    const first = pool.query('select 1').catch(() => ended.push('first refused'));
    await Promise.all([first, pool.query('select 1').then(() => ended.push('second answered'))]);
    expect(ended).toEqual(['second answered', 'first refused']);
  });

  it('gives a released connection to a caller that waits while that of another does not open', async () => {
    silent = 0;
    pool = open({ connectionString, connectionTimeoutMillis: 1_500 });
    const held = await pool.connect();
    const pid = await pidOf(held);
    silent = 1;
    const refused = pool.connect().catch(() => 'refused');
    await vi.waitUntil(() => pool.totalCount === 2);
    const waiting = pool.connect();
    held.release();
    const given = await waiting;
    expect(await pidOf(given)).toBe(pid);
    given.release();
    expect(await refused).toBe('refused');
  });
});

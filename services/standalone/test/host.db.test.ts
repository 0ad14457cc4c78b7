import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openHost } from '../src/host.ts';

it('a connection that is lost while nothing uses it is logged, and the next statement has another', async () => {
  await using clone = await cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'host-'));
  const events: unknown[] = [];
  const log = openLogger({
    name: 'sample',
    level: 'warn',
    to: { write: (line) => events.push(JSON.parse(line).event) },
  });
  const closers: (() => unknown)[] = [() => rm(folder, { recursive: true })];
  const use = <T>(resource: T, close: (resource: T) => unknown) => {
    closers.push(() => close(resource));
    return resource;
  };
  try {
    const env = { DATA_DIR: folder, DATABASE_URL: clone.url, SECRET_KEY: 'k'.repeat(40) };
    const { database } = await openHost({ service: 'sample', log }, env, use);
    const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    await clone.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
    await expect.poll(() => events).toEqual(['database.connection_lost']);
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
});

import { addUser, createKey, createOrganization, removeUser, revokeKey } from '@dmarc-ledger/ledger';
import { openLogger } from '@dmarc-ledger/runtime';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startApi, type RunningApi } from '../src/service.ts';

let database: ClonedDatabase;
let api: RunningApi;
let orgId: string;

beforeAll(async () => {
  database = await cloneDatabase();
  orgId = (await createOrganization(database.db, { name: 'Service' })).id;
  const log = openLogger({ name: 'api', level: 'silent' });
  api = await startApi({ databaseUrl: database.url, host: '127.0.0.1', port: 0, log });
});
afterAll(async () => {
  await api.close();
  await database[Symbol.asyncDispose]();
});

async function statusWith(key: string): Promise<number> {
  const response = await fetch(`${api.url}/v1/statistics`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

it('a revoked key opens nothing any more, at once', async () => {
  const { id, key } = await createKey(database.db, orgId, { scope: 'read' });
  expect(await statusWith(key)).toBe(200);
  await revokeKey(database.db, orgId, id);
  await vi.waitFor(async () => expect(await statusWith(key)).toBe(401), { timeout: 8_000, interval: 20 });
});

it('nor does one whose owner was removed, also after the connection that announces changes was lost', async () => {
  for (const email of ['a@example.com', 'b@example.com']) await addUser(database.db, orgId, { email, role: 'owner' });
  const { key } = await createKey(database.db, orgId, { scope: 'full', ownerEmail: 'a@example.com' });
  expect(await statusWith(key)).toBe(200);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`.execute(
    database.db,
  );
  await removeUser(database.db, orgId, 'a@example.com');
  await vi.waitFor(async () => expect(await statusWith(key)).toBe(403), { timeout: 60_000, interval: 50 });
});

import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { type Database, openDatabase, openReads, type Reads } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApi, type Api, type Call } from '../src/index.ts';

let database: ClonedDatabase;
let impatient: Database;
let reads: Reads;
let api: Api;
let url: string;
let headers: { authorization: string };
const calls: Call[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  const { id } = await createOrganization(database.db, { name: 'Storage' });
  headers = { authorization: `Bearer ${(await createKey(database.db, id, { scope: 'read' })).key}` };
  const patience = { statementTimeoutMs: 1_000 };
  [impatient, reads] = [openDatabase(database.url, patience), openReads(database.url, patience)];
  api = makeApi({ db: impatient.db, reads, observe: (call) => calls.push(call) });
  url = await api.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await api.close();
  await impatient.close();
  await reads.close();
  await database[Symbol.asyncDispose]();
});

async function whileLocked(table: string, path: string) {
  return await database.db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx);
    const response = await fetch(`${url}/v1${path}`, { headers });
    return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
  });
}

const unavailable = { status: 503, body: { error: 'Service Unavailable' }, retryAfter: '5' };

describe('storage that does not answer', () => {
  it('never makes a key invalid: 503, and the key is looked up again', async () => {
    expect(await whileLocked('api_key', '/statistics')).toEqual(unavailable);
    expect((await fetch(`${url}/v1/statistics`, { headers })).status).toBe(200);
  });

  it.each([
    ['org_total', '/statistics'],
    ['org_total', '/reports'],
    ['org_day', '/trends'],
    ['domain', '/domains'],
    ['source_total', '/sources/192.0.2.1'],
    ['plan', '/api-keys/usage'],
    ['usage_hour', '/api-keys/usage'],
  ])('without %s, %s is 503 with Retry-After', async (table, path) => {
    expect(await whileLocked(table, path)).toEqual(unavailable);
  });

  it('is reported to the observer, not to the client', async () => {
    calls.length = 0;
    await whileLocked('org_total', '/statistics');
    expect(calls).toMatchObject([
      { path: '/v1/statistics', method: 'GET', status: 503, caller: { keyId: expect.any(String) } },
    ]);
    expect(String(calls[0]?.failure)).toContain('statement timeout');
  });

  it('a fault of ours is 500 without detail', async () => {
    await sql`alter table org_total rename to hidden`.execute(database.db);
    const response = await fetch(`${url}/v1/statistics`, { headers });
    await sql`alter table hidden rename to org_total`.execute(database.db);
    expect([response.status, await response.text()]).toEqual([500, '{"error":"Internal Server Error"}']);
  });
});

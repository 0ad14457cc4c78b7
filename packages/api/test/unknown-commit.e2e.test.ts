import { createKey, createOrganization, openDatabase } from '@dmarc-ledger/db';
import { cloneDatabase, faultProxy } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { makeApi } from '../src/index.ts';

it('usage is on record once, also when the connection is lost before the database could say that it is', async () => {
  await using database = await cloneDatabase();
  const { port } = new URL(database.url);
  await using line = await faultProxy(Number(port));
  const { id } = await createOrganization(database.db, { name: 'Lost' });
  const { key } = await createKey(database.db, id, { scope: 'read' });
  const behind = openDatabase(Object.assign(new URL(database.url), { port: String(line.port) }).href);
  const api = makeApi({ db: behind.db });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const get = async (path: string) => {
    const response = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, body: await response.json() };
  };

  for (let i = 0; i < 3; i += 1) expect((await get('/enums')).status).toBe(200);
  line.toxic.dropReplyAfter = /insert into usage_batch/;
  await expect.poll(() => line.ended(), { timeout: 30_000 }).toBe(1); // written by then, and not known to be
  const { status, body } = await get('/api-keys/usage?days=2');
  expect(status).toBe(200);
  expect(body.window.used).toBe(4);
  expect(body.total_requests).toBe(4);
  await api.close();
  await behind.close();
});

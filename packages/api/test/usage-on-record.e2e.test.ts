import { createKey, createOrganization } from '@dmarc-ledger/ledger';
import { findUsage } from '@dmarc-ledger/queries';
import { openDatabase } from '@dmarc-ledger/schema';
import { localLimiter } from '@dmarc-ledger/limits';
import { awayFromTheTurn, cloneDatabase, faultProxy } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { makeApi } from '../src/index.ts';

it('usage is on record once, also when the connection is lost before the database could say that it is', async () => {
  await awayFromTheTurn();
  await using database = await cloneDatabase();
  const { port } = new URL(database.url);
  await using line = await faultProxy(Number(port));
  const { id } = await createOrganization(database.db, { name: 'Lost' });
  const { key } = await createKey(database.db, id, { scope: 'read' });
  const behind = openDatabase(Object.assign(new URL(database.url), { port: String(line.port) }).href);
  const api = makeApi({ db: behind.db, reads: database.reads });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const get = async (path: string) => {
    const response = await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: response.status, text: await response.text() };
  };

  line.toxic.dropReplyAfter = /insert into usage_batch/;
  for (let i = 0; i < 3; i += 1) expect((await get('/enums')).status).toBe(200);
  await expect.poll(() => line.ended(), { timeout: 30_000 }).toBe(1); // stored by then, without a reply
  const { status, text } = await get('/api-keys/usage?days=2');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ window: { used: 4 }, total_requests: 4 });
  await api.close();
  await behind.close();
});

it('what cannot be put on record does not keep the rest from it', async () => {
  await using database = await cloneDatabase();
  const { id: orgId } = await createOrganization(database.db, { name: 'Rest' });
  const { id: keyId } = await createKey(database.db, orgId, { scope: 'read' });
  const limiter = localLimiter({ abusePerMinute: 600, heavyConcurrency: 4, recorded: async () => 0 });
  const faults: unknown[] = [];
  limiter.noteError({ orgId: 'nobody', keyId, hour: 1 });
  await limiter.batches(); // the next counts go to the next batch
  limiter.noteError({ orgId, keyId, hour: 1 });
  const api = makeApi({ db: database.db, reads: database.reads, limiter, onUsageFault: (error) => faults.push(error) });
  await api.close();
  const sums = await findUsage(database.db, orgId, { from: 1, to: 1 }, 'hour');
  expect(sums).toMatchObject([{ requests: 0, errors: 1 }]);
  expect(faults).toHaveLength(1);
});

import { createKey, createOrganization, setPlan } from '@dmarc-ledger/ledger';
import { awayFromTheTurn, cloneDatabase, redisServer } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { getJson } from './support/api.ts';
import { openCommandHost } from './support/command.ts';
import { temporaryFolder } from './support/folder.ts';
import { startService } from './support/service.ts';

const QUOTA = 400;
const REQUESTS = 1_200;
const AT_A_TIME = 24;
/** Requests after which a process is killed. */
const KILLS = [150, 300];

it('admits and records as many requests as the quota allows, although processes are killed while they answer', async () => {
  await awayFromTheTurn();
  using folder = temporaryFolder();
  using host = openCommandHost();
  await using database = await cloneDatabase();
  const redis = await redisServer();
  await setPlan(database, { code: 'metered', hourlyQuota: QUOTA });
  const { id } = await createOrganization(database.db, { name: 'Quota', plan: 'metered' });
  const { key } = await createKey(database.db, id, { scope: 'read' });
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    DATA_DIR: folder.path,
    ABUSE_LIMIT_PER_MINUTE: '1000000',
  };
  const start = async () => {
    const service = startService('api', env);
    return { service, url: (await service.ready)! };
  };
  const apis = await Promise.all([start(), start(), start()]);
  const survivor = apis[0]!;

  const tally = { admitted: 0, refused: 0, unknown: 0 };
  let asked = 0;
  const client = async () => {
    while (asked < REQUESTS) {
      asked += 1;
      if (KILLS.includes(asked)) void apis.pop()!.service.end('SIGKILL');
      const { url } = apis[asked % apis.length]!;
      const status = await statusOf(`${url}/v1/enums`, key);
      if (status === 200) tally.admitted += 1;
      else if (status === 429) tally.refused += 1;
      else tally.unknown += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, client));
  expect(apis).toEqual([survivor]);

  // Who was killed may have been admitted and never have answered: such a request has used its part of the quota.
  expect(tally.admitted).toBeLessThanOrEqual(QUOTA);
  expect(tally.admitted + tally.unknown).toBeGreaterThanOrEqual(QUOTA);
  expect(tally.unknown).toBeLessThanOrEqual(KILLS.length * AT_A_TIME);

  await setPlan(database, { code: 'metered', hourlyQuota: null });
  await vi.waitFor(async () => expect(await statusOf(`${survivor.url}/v1/enums`, key)).toBe(200), 60_000);
  const { window, history } = await getJson(`${survivor.url}/v1/api-keys/usage?days=1`, key);
  expect(window.used).toBe(QUOTA + 2);
  expect(history.at(-1).requests).toBe(QUOTA + 2);
  expect(await survivor.service.end('SIGTERM')).toBe(0);
  const { stdout } = await host.run(['key', 'list', '--org', 'Quota', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject([{ last_used: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/) }]);
  await redis.stop();
});

/** The status, or undefined when the connection ended without an answer. */
async function statusOf(url: string, key: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

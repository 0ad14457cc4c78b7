import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createOrganization, findDrift, noteSources } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, faultDns, givenReports, redisServer, type FaultDns } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { labelsOf } from './enrichment/address.ts';
import { times } from './enrichment/dice.ts';
import type { WorkerOrder } from './enrichment/worker-process.ts';

const PROGRAM = fileURLToPath(new URL('enrichment/worker-process.ts', import.meta.url));
/** `npm run soak` has 10. */
const KILLS = Number(process.env['ENRICHMENT_KILLS'] ?? 2);
/** Addresses that a worker has in progress: two jobs of ten. */
const IN_WORK = 20;
const ZONE = 'cop.test';
const addresses = times(40 + 40 * KILLS, (index) => `45.0.0.${index + 1}`);
const blocklists = JSON.stringify({
  built_in: false,
  lists: [{ id: 'cop', zone: ZONE, rank: 1, tier: 2, ingest: true }],
});

it.each(['Postgres', 'Redis'] as const)(
  'leaves no address unfinished, and asks again only what a killed worker had in work (%s)',
  async (backend) => {
    await using database = await cloneDatabase();
    await using dns = await slowDns();
    await using redis = backend === 'Redis' ? await runningRedis() : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-crash-'));
    const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
    const records = addresses.map((ip) => ({ ip, count: 1, dkim: false, spf: false, class: 'needs_review' as const }));
    await givenReports(database.db, orgId, [{ records }]);
    await transact(database, (session) =>
      noteSources(
        session,
        orgId,
        addresses.map((address) => ({ address, isFailing: true })),
      ),
    );
    const order: WorkerOrder = { databaseUrl: database.url, redisUrl: redis?.url, folder, dns, blocklists };
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const worker = start(order);
      const asked = dns.seen.length;
      const enough = 30 * kill;
      while (dns.seen.length < asked + enough && worker.exitCode === null) await sleep(5);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    const last = start(order);
    const unfinished = `select (select count(*) from ip_enrichment where enriched_at is null or planned)
      + (select count(*) from unjudged_source) as left`;
    while ((await database.pool.query<{ left: number }>(unfinished)).rows[0]!.left > 0) await sleep(50);
    last.kill('SIGKILL');
    await once(last, 'exit');
    const counts = countsOf(dns, 'PTR');
    expect([...counts.keys()].sort()).toEqual(addresses.map(reverseName).sort());
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(1 + KILLS);
    const repeated = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
    expect(repeated).toBeLessThanOrEqual(KILLS * IN_WORK);
    const { rows } = await database.pool.query('select class, count(*) from report_record group by 1');
    expect(rows).toEqual([{ class: 'suspicious', count: addresses.length }]);
    expect((await findDrift(database, orgId)).filter((one) => one.rows > 0)).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  },
);

/** Lists every address, slowly. */
async function slowDns(): Promise<FaultDns> {
  return await faultDns({
    '*': ({ name, type }) => {
      const isCanary = name.startsWith('1.0.0.127.') || (name.endsWith(ZONE) && !name.endsWith(`.0.0.45.${ZONE}`));
      const isListed = name.endsWith(ZONE) && type === 'A' && (!isCanary || name.startsWith('2.0.0.127.'));
      const answers = isListed ? [{ type: 'A' as const, name, ttl: 300, data: '127.0.0.2' }] : undefined;
      return { delayMs: 30, ...(answers ? { answers } : { rcode: 3 }) };
    },
  });
}

async function runningRedis() {
  const server = await redisServer();
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() };
}

function start(order: WorkerOrder): ChildProcess {
  return fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function countsOf({ seen }: FaultDns, type: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const question of seen.filter((one) => one.type === type))
    counts.set(question.name, (counts.get(question.name) ?? 0) + 1);
  return counts;
}

function reverseName(ip: string): string {
  return `${labelsOf({ ip, family: 4 })}.in-addr.arpa`;
}

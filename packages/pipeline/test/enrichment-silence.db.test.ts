import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeApi } from '@dmarc-ledger/api';
import { createKey } from '@dmarc-ledger/ledger';
import { noReputation, openDnsClient, openZoneAsker, openGeo } from '@dmarc-ledger/lookups';
import { builtInLists } from '@dmarc-ledger/sources';
import { reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openOutside, runLookupPlan, watchZones } from '../src/index.ts';
import { times } from './enrichment/dice.ts';
import { writeGeoFiles } from './enrichment/servers.ts';
import { openLedger, type Ledger } from './ledger.ts';

const IN_HAND = 100;
const IN_JOB = 10;
/** Jobs whose addresses are done, and which the queue still has: one for each slot of a worker. */
const JUST_DONE = 4;
/** Half of them in a network that the geo data knows, half not. */
const addresses = times(600, (index) => `45.${index % 2 === 0 ? 0 : 3}.${index >> 8}.${index & 255}`);

let hole: Socket;
let ledger: Ledger;
let geoFolder: string;
// oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
let get: (path: string) => Promise<any>;
let closeApi: () => Promise<void>;

beforeAll(async () => {
  hole = createSocket('udp4').bind(0, '127.0.0.1');
  await once(hole, 'listening');
  const dns = openDnsClient({ servers: [{ address: '127.0.0.1', port: hole.address().port }], timeoutMs: 150 });
  geoFolder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-geo-'));
  const geo = openGeo(writeGeoFiles(geoFolder));
  ledger = await openLedger('Postgres', ({ database }) => {
    const asker = openZoneAsker({ client: dns });
    const zones = watchZones({ database, asker, lists: builtInLists, everyMs: 100, onFault: () => undefined });
    return { outside: openOutside({ dns, geo, reputation: noReputation, lists: builtInLists, zones, asker }), zones };
  });
  const api = makeApi({
    db: ledger.database.db,
    reads: ledger.database.reads,
    now: () => new Date('2026-01-10T00:00:00Z'),
  });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const { key } = await createKey(ledger.database.db, ledger.orgId, { scope: 'read' });
  get = async (path) => await (await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
  closeApi = () => api.close();
});
afterAll(async () => {
  await closeApi();
  await ledger[Symbol.asyncDispose]();
  hole.close();
  rmSync(geoFolder, { recursive: true, force: true });
});

it('takes reports in while no name server answers, and never has more in hand than it may', async () => {
  const ending = new AbortController();
  const plan = { inHand: IN_HAND, inHandBesideIntake: IN_HAND, atOnce: 50, inJob: IN_JOB, lostAfterSeconds: 600 };
  const planning = runLookupPlan(
    { database: ledger.database, plan, everyMs: 50, onFault: () => undefined },
    ending.signal,
  );
  const records = (part: number) =>
    addresses.filter((_, index) => index % 6 === part).map((ip) => ({ ip, count: 1 + part }));
  const inHand: number[] = [];
  const waiting: number[] = [];
  for (const part of times(6, (index) => index)) {
    await ledger.handIn(reportXml({ id: `part ${part}`, records: records(part) }));
    await ledger.settled();
  }
  while ((await count('where ptr_tries > 0')) < addresses.length) {
    inHand.push(await count('where planned'));
    const { lookups } = await ledger.queues.counts();
    waiting.push(lookups!.waiting + lookups!.active + lookups!.delayed);
    await sleep(50);
  }
  ending.abort();
  await planning;
  await ledger.settled();
  expect(Math.max(...inHand)).toBeLessThanOrEqual(IN_HAND);
  expect(Math.max(...waiting)).toBeLessThanOrEqual(IN_HAND / IN_JOB + JUST_DONE);
  expect(await count('where due_at <= now()')).toBe(0);
});

it('says of no address what it does not know', async () => {
  const [placed, unknown] = addresses;
  const known = await get(`/sources/${placed}`);
  expect(known.enrichment).toMatchObject({ country_code: 'DE', abuse_score: -1, abuse_status: 'unknown' });
  for (const field of ['hostname', 'blocklist_results', 'abuse_categories', 'sender_name'])
    expect(known.enrichment).not.toHaveProperty(field);
  expect(known.blocklist_verdict).toMatchObject({ severity: 'unchecked', total: 0, urgency: 'none' });
  expect(known.spam_signals).toEqual([]);
  const other = await get(`/sources/${unknown}`);
  for (const field of ['enrichment', 'geo', 'spam_signals', 'hostname', 'service_name'])
    expect(other).not.toHaveProperty(field);
  expect(other.blocklist_verdict).toMatchObject({ severity: 'unchecked', total: 0 });
  const { sources, total } = await get('/sources?limit=200');
  expect(total).toBe(addresses.length);
  for (const row of sources) {
    expect(row).toMatchObject({ blocklist_severity: 'unchecked', classification: 'needs_review' });
    expect(row).not.toHaveProperty('blocklist_summary');
  }
  expect((await get('/sources?reputation=unknown')).total).toBe(addresses.length / 2);
  expect(await ledger.drift()).toBe(0);
});

async function count(where: string): Promise<number> {
  const { rows } = await ledger.database.pool.query<{ rows: number }>(
    `select count(*) as rows from ip_enrichment ${where}`,
  );
  return rows[0]!.rows;
}

import { openDnsClient, openZoneAsker, type DnsClient } from '@dmarc-ledger/lookups';
import { findZones } from '@dmarc-ledger/ledger';
import { builtInLists, interpretAnswer, type Blocklist } from '@dmarc-ledger/sources';
import { cloneDatabase, dnsServer, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchZones, type ZoneWatch } from '../src/index.ts';

const [psbl, zen] = ['psbl', 'spamhaus-zen'].map((id): Blocklist => ({
  ...builtInLists.find((list) => list.id === id)!,
  zone: { v4: `${id}.test` },
})) as [Blocklist, Blocklist];

let database: ClonedDatabase;
let server: Awaited<ReturnType<typeof dnsServer>>;
let client: DnsClient;
let zones: ZoneWatch;

/** Both lists pass their self-tests. PSBL refuses to answer about 193.7.8.9, and answers about any other address. */
beforeEach(async () => {
  database = await cloneDatabase();
  const canary = '2.0.0.127 A 127.0.0.2';
  server = await dnsServer({
    '.': '',
    'psbl.test': `${canary}\n9.8.7.193 A 127.255.255.254`,
    'spamhaus-zen.test': canary,
  });
  client = openDnsClient({ servers: [server], timeoutMs: 5_000 });
  zones = watch();
  await zones.tested();
});
afterEach(async () => {
  await zones.close();
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function watch(): ZoneWatch {
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  return watchZones({ database, asker: openZoneAsker({ client }), lists: [psbl, zen], everyMs: 50, onFault });
}

/** Waits until the stored health of all zones is read again: what another process stores of one of them shows it. */
async function readAgain(): Promise<void> {
  const isWorking = zones.isWorking('spamhaus-zen', 'v4');
  await database.pool.query(
    `update blocklist_zone set health = health || jsonb_build_object('state', $1::text) where list = 'spamhaus-zen'`,
    [isWorking ? 'suspended' : 'working'],
  );
  await vi.waitFor(() => expect(zones.isWorking('spamhaus-zen', 'v4')).toBe(!isWorking), { timeout: 60_000 });
}

/** Asks PSBL about addresses, one after the other; its stored health is read again after each of them. */
async function ask(addresses: readonly string[]): Promise<void> {
  const asker = openZoneAsker({ client });
  for (const address of addresses) {
    await zones.noteResult('psbl', 'v4', interpretAnswer(psbl, await asker.ask('psbl.test', address)));
    await readAgain();
  }
}

const refused = (times: number) => Array.from({ length: times }, () => '193.7.8.9');

it('a list that refuses five queries in a row is suspended, however far apart they are', async () => {
  await ask(refused(4));
  expect(zones.isWorking('psbl', 'v4')).toBe(true);
  await ask(refused(1));
  expect(zones.isWorking('psbl', 'v4')).toBe(false);
  const stored = (await findZones(database.db)).find(({ list }) => list === 'psbl');
  expect(stored!.health).toMatchObject({ state: 'suspended', reason: expect.stringContaining('refused') as string });
});

it('an answer between refusals starts their count anew', async () => {
  await ask([...refused(4), '193.7.8.10', ...refused(4)]);
  expect(zones.isWorking('psbl', 'v4')).toBe(true);
});

it('a test that a list passes starts the count of its refusals anew, whichever process made it', async () => {
  await ask(refused(4));
  await database.pool.query(`update blocklist_zone set next_test_at = now() + interval '90 minutes',
    health = jsonb_set(health, '{nextTestAt}', to_jsonb(now() + interval '90 minutes')) where list = 'psbl'`);
  await readAgain();
  await ask(refused(4));
  expect(zones.isWorking('psbl', 'v4')).toBe(true);
});

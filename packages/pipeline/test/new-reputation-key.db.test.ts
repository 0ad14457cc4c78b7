import { findEnrichments } from '@dmarc-ledger/facts';
import {
  abuseIpdb,
  noReputation,
  openDnsClient,
  openGeo,
  openZoneAsker,
  type ReputationProvider,
} from '@dmarc-ledger/lookups';
import {
  cloneDatabase,
  faultDns,
  reputationServer,
  type ClonedDatabase,
  type FaultDns,
  type ReputationServer,
} from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openOutside, watchZones } from '../src/index.ts';
import { enrichAddresses } from '../src/sources/enrich-addresses.ts';

const ip = '45.0.0.1';
const DAY = 86_400_000;

let database: ClonedDatabase;
let dns: FaultDns;
let reputation: ReputationServer;
beforeEach(async () => {
  database = await cloneDatabase();
  dns = await faultDns({});
  reputation = await reputationServer({ [ip]: { data: { abuseConfidenceScore: 80, totalReports: 3 } } });
  await database.pool.query('insert into ip_enrichment (address) values ($1)', [ip]);
});
afterEach(async () => {
  await reputation[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Looks up what is due of the address, and returns what is known then. */
async function enrichBy(provider: ReputationProvider) {
  const client = openDnsClient({ servers: [dns], timeoutMs: 5_000 });
  const asker = openZoneAsker({ client });
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const zones = watchZones({ database, asker, lists: [], everyMs: 50, onFault });
  const outside = openOutside({ dns: client, geo: openGeo(), reputation: provider, lists: [], zones, asker });
  await database.pool.query('update ip_enrichment set planned = true');
  await enrichAddresses({ database, outside }, { addresses: [ip] });
  await zones.close();
  const [row] = await findEnrichments(database.db, [ip]);
  return row!;
}

async function enrichWithKey() {
  const provider = abuseIpdb({ key: 'a key', url: reputation.url });
  try {
    return await enrichBy(provider);
  } finally {
    await provider.close();
  }
}

/** Without a key, older versions put the lookup off for a year. */
async function givenOfOlderVersion(): Promise<void> {
  await enrichBy(noReputation);
  await database.pool.query(`update ip_enrichment set abuse_due_at = now() + interval '365 days'`);
}

it('an address that was looked up without a key gets its score with the next lookup after a key is set', async () => {
  await enrichBy(noReputation);
  expect(await enrichWithKey()).toMatchObject({ abuse_score: 80, abuse_source: 'AbuseIPDB' });
});

it('an address that an older version looked up without a key gets its score too', async () => {
  await givenOfOlderVersion();
  expect(await enrichWithKey()).toMatchObject({ abuse_score: 80, abuse_source: 'AbuseIPDB' });
});

it.each([
  ['a new address', async () => {}],
  ['an address that an older version looked up', givenOfOlderVersion],
])('without a key, %s is looked up again for its other facts alone', async (_, given) => {
  await given();
  const { due_at, ptr_due_at, lists_due_at, abuse_at } = await enrichBy(noReputation);
  expect(due_at.getTime()).toBe(Math.min(ptr_due_at.getTime(), lists_due_at.getTime()));
  expect(due_at.getTime()).toBeGreaterThan(Date.now());
  expect(abuse_at).toBeNull();
});

it('an address that the service does not rate is asked about once in a year', async () => {
  reputation.replies[ip] = { status: 422, body: '{}' };
  await givenOfOlderVersion();
  const { abuse_due_at, abuse_score, abuse_source } = await enrichWithKey();
  expect({ abuse_score, abuse_source }).toEqual({ abuse_score: null, abuse_source: 'AbuseIPDB' });
  expect(abuse_due_at.getTime()).toBeGreaterThan(Date.now() + 364 * DAY);
  await enrichWithKey();
  expect(reputation.seen).toHaveLength(1);
});

it('a lookup that waits for the budget of tomorrow is not made before', async () => {
  await enrichBy(noReputation);
  await database.pool.query(`update ip_enrichment set abuse_due_at = now() + interval '10 days'`);
  await enrichWithKey();
  expect(reputation.seen).toEqual([]);
});

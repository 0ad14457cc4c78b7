import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeInHand } from '@dmarc-ledger/ledger';
import { enrichAddresses } from '@dmarc-ledger/pipeline';
import { lookupEnv, readEnv } from '@dmarc-ledger/runtime';
import {
  cloneDatabase,
  faultDns,
  reputationServer,
  writeMmdb,
  type ClonedDatabase,
  type DnsScenario,
  type FaultDns,
  type ReputationServer,
} from '@dmarc-ledger/testkit';
import { present } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLookups, type OpenLookups } from '../src/outside.ts';

const addresses = ['45.0.0.1', '45.0.0.2', '45.0.0.3'];
const builtAt = new Date('2026-01-01T00:00:00Z');

let folder: string;
let cityDb: string;
let database: ClonedDatabase;
let dns: FaultDns;
let reputation: ReputationServer;
let lookups: OpenLookups;
let faults: string[];

/** Everything but the geo data answers: the addresses have names, a list carries them, and they have a score. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-geo-'));
  cityDb = join(folder, 'city.mmdb');
  database = await cloneDatabase();
  dns = await faultDns({ '2.0.0.127.list.test': record('A', '2.0.0.127.list.test', '127.0.0.2'), ...answersAbout() });
  reputation = await reputationServer({ '*': { data: { abuseConfidenceScore: 80, totalReports: 3 } } });
  faults = [];
});
afterEach(async () => {
  await lookups.close();
  await reputation[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function answersAbout(): DnsScenario {
  return Object.fromEntries(
    addresses.flatMap((address) => {
      const labels = address.split('.').toReversed().join('.');
      const [pointer, listing, host] = [`${labels}.in-addr.arpa`, `${labels}.list.test`, `mail-${labels}.test`];
      return [
        [pointer, record('PTR', pointer, host)],
        [listing, record('A', listing, '127.0.0.2')],
        [host, record('A', host, address)],
      ];
    }),
  );
}

function record(type: 'A' | 'PTR', name: string, data: string) {
  return ({ type: asked }: { type: string }) => (asked === type ? { answers: [{ type, name, ttl: 300, data }] } : {});
}

/** As a worker opens them, by its environment. */
async function open(): Promise<void> {
  const lists = [{ id: 'list', name: 'The list', zone: 'list.test', tier: 2, category: 'spam', ingest: true }];
  const blocklists = join(folder, 'lists.json');
  writeFileSync(blocklists, JSON.stringify({ built_in: false, lists }));
  const env = readEnv(lookupEnv, {
    DNS_SERVERS: `${dns.address}:${dns.port}`,
    BLOCKLISTS_FILE: blocklists,
    ABUSEIPDB_API_KEY: 'a key',
    ABUSEIPDB_URL: reputation.url,
    GEOIP_CITY_DB: cityDb,
  });
  lookups = await openLookups(env, database, (message, error) => faults.push(`${message} ${String(error)}`));
}

async function lookUp() {
  await database.pool.query('update ip_enrichment set planned = true');
  await enrichAddresses({ database, outside: present(lookups.outside) }, { addresses });
  const { rows } = await database.pool.query('select * from ip_enrichment order by address');
  return rows;
}

const inGermany = { country: { iso_code: 'DE', names: { en: 'Germany' } }, city: { names: { en: 'Berlin' } } };

function writeCities(): void {
  writeMmdb(`${cityDb}.new`, { '45.0.0.0/16': inGermany }, builtAt);
  renameSync(`${cityDb}.new`, cityDb);
}

/** The end with its metadata is whole, and the tree before it is not. */
function damageTree(): void {
  writeCities();
  const bytes = readFileSync(cityDb);
  bytes.fill(0xff, 0, bytes.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1') - 200);
  writeFileSync(cityDb, bytes);
}

function cutOff(): void {
  writeCities();
  writeFileSync(cityDb, readFileSync(cityDb).subarray(0, 300));
}

/** A file that could be opened is read again after a minute, one that could not with the next lookup. */
const damages: [string, () => void, isOpened: boolean][] = [
  ['is missing', () => {}, false],
  ['was cut off', cutOff, false],
  ['has a damaged tree', damageTree, true],
];

describe.each(damages)('a file of places that %s', (_, damage, isOpened) => {
  it('costs no other fact, and no second call of the reputation service', async () => {
    damage();
    await open();
    await takeInHand(database, addresses);
    for (const row of await lookUp()) {
      expect(row).toMatchObject({ ptr_state: 'confirmed', abuse_score: 80, country_code: null });
      expect(row.verdict).toMatchObject({ severity: 'warning' });
      expect(row.due_at.getTime()).toBeGreaterThan(Date.now() + 20 * 60_000);
    }
    await lookUp();
    expect(reputation.seen).toHaveLength(addresses.length);
  });

  it('is reported once, not for each address, and its facts come when it is repaired', async () => {
    damage();
    await open();
    await takeInHand(database, addresses);
    await lookUp();
    await lookUp();
    expect(faults).toEqual([expect.stringMatching(/^Geo data could not be read\. .*city\.mmdb/)]);
    writeCities();
    if (isOpened) {
      await lookups.close();
      await open();
    }
    for (const row of await lookUp()) expect(row).toMatchObject({ country_code: 'DE', city: 'Berlin' });
    expect(faults).toHaveLength(1);
  });

  it('takes nothing from what was known', async () => {
    writeCities();
    await open();
    await takeInHand(database, addresses);
    await lookUp();
    await lookups.close();
    rmSync(cityDb);
    damage();
    await open();
    for (const row of await lookUp()) expect(row).toMatchObject({ country_code: 'DE', city: 'Berlin' });
  });
});

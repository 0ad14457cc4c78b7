import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { cloneDatabase, dnsServer, reportXml, reputationServer, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCommandHost } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';

const folder = temporaryFolder();
const host = openCommandHost();
let database: ClonedDatabase;
let env: { [name: string]: string };
const opened: AsyncDisposable[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  const dns = await dnsServer({
    '.': '',
    'in-addr.arpa':
      '8.0.0.45 PTR o1.ptr.sendgrid.net.\n9.0.0.45 PTR o2.ptr.sendgrid.net.\n8.0.0.10 PTR o1.ptr.sendgrid.net.',
    'sendgrid.net': 'o1.ptr A 45.0.0.8\no2.ptr A 45.0.0.99',
    'spam.test': '2.0.0.127 A 127.0.0.2\n8.0.0.45 A 127.0.0.2\n8.0.0.45 TXT "seen on Monday"',
    'fussy.test': '2.0.0.127 A 127.0.0.2\n8.0.0.45 A 127.255.255.254',
    'dead.test': '',
  });
  const reputation = await reputationServer({
    '45.0.0.8': { data: { abuseConfidenceScore: 40, totalReports: 2, isp: 'Twilio', reports: [{ categories: [11] }] } },
  });
  opened.push(dns, reputation);
  const blocklists = join(folder.path, 'lists.json');
  const lists = ['spam', 'fussy', 'dead'].map((id, i) => ({ id, zone: `${id}.test`, rank: i + 1, tier: 2 }));
  writeFileSync(blocklists, JSON.stringify({ built_in: false, lists }));
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    DNS_SERVERS: `${dns.address}:${dns.port}`,
    BLOCKLISTS_FILE: blocklists,
    ABUSEIPDB_API_KEY: 'key',
    ABUSEIPDB_URL: reputation.url,
  };
});
afterAll(async () => {
  for (const each of opened) await each[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  host[Symbol.dispose]();
  folder[Symbol.dispose]();
});

it('looks an address up at once, and prints every fact with its source and age', async () => {
  const { stdout, stderr, code } = await host.run(['enrich', '45.0.0.8'], env);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  for (const line of [
    /^address +45\.0\.0\.8/m,
    /^host name +o1\.ptr\.sendgrid\.net +DNS +\d+ s/m,
    /^resolves back +confirmed +DNS +\d+ s/m,
    /^service +Twilio SendGrid \(strong\) +ptr o1\.ptr\.sendgrid\.net/m,
    /^may be named +yes/m,
    /^abuse +suspicious, 40 % +AbuseIPDB +\d+ s/m,
    /^blocklists +Listed on spam\. .* +blocklists \(full\) +\d+ s/m,
    /^spam +listed +2 +seen on Monday/m,
    /^fussy +error +- +refused with 127\.255\.255\.254/m,
    /IP geolocation by DB-IP/,
  ])
    expect(stdout).toMatch(line);
  expect(stdout).not.toMatch(/^dead/m);
});

it.each(['10.0.0.8', '192.0.2.8'])(
  'asks no service about %s, even if it may connect to private addresses',
  async (address) => {
    const { stdout, code } = await host.run(['enrich', address, '--json'], { ...env, ALLOW_PRIVATE_ADDRESSES: 'on' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ address, hostname: null, ptr_state: null, verdict: null, results: [] });
  },
);

it.each([
  ['off', '45.0.0.76', 0],
  ['on', '45.0.0.77', 1],
])('with ENRICHMENT=%s, ingest of a report of %s queues %i addresses', async (ENRICHMENT, ip, queued) => {
  const name = `Lookups ${ENRICHMENT}`;
  const file = join(folder.path, `${ENRICHMENT}.xml`);
  writeFileSync(file, reportXml({ id: ENRICHMENT, records: [{ ip, count: 1 }] }));
  await host.run(['org', 'create', name], env);
  expect(await host.run(['ingest', file, '--org', name], { ...env, ENRICHMENT })).toMatchObject({ code: 0 });
  const { rows } = await database.pool.query('select from awaited_address where address = $1', [ip]);
  expect(rows).toHaveLength(queued);
});

it('prints the same as JSON', async () => {
  const { stdout, code } = await host.run(['enrich', '45.0.0.9', '--json'], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    address: '45.0.0.9',
    ptr_state: 'unconfirmed',
    hostname: 'o2.ptr.sendgrid.net',
    abuse_score: 0,
    abuse_source: 'AbuseIPDB',
    list_scope: 'full',
    verdict: { severity: 'clean', checked: 2, total: 2 },
    signals: expect.arrayContaining([expect.objectContaining({ name: 'FCRDNS_MISMATCH' })]),
    results: [
      { name: 'spam', status: 'clean' },
      { name: 'fussy', status: 'clean' },
    ],
  });
});

it.each(['example.com', '45.0.0', '45.0.0.8/24'])('calls %s wrong usage', async (text) => {
  const { stdout, stderr, code } = await host.run(['enrich', text], env);
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toBe(`dmarc-ledger: ${text} is not an IP address.\n`);
});

it('says what is wrong with the place that it is to ask', async () => {
  const { stderr, code } = await host.run(['enrich', '45.0.0.8'], { ...env, DNS_SERVERS: 'resolver.example' });
  expect(stderr).toMatch(/DNS_SERVERS: resolver\.example is not an address/);
  expect(code).not.toBe(0);
});

import { join } from 'node:path';
import { faultDns } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { getAll, getJson } from '../../../test/support/api.ts';
import { runCommand } from '../../../test/support/command.ts';
import { temporaryFolder } from '../../../test/support/folder.ts';
import { startInstance } from '../../../test/support/instance.ts';

it('shows every state of a domain and of a source at the first look, and looks nothing about the samples up', async () => {
  using folder = temporaryFolder();
  await using dns = await faultDns({});
  const DATA_DIR = join(folder.path, 'data');
  const ledger = await startInstance(DATA_DIR, [], {
    DNS_SERVERS: `${dns.address}:${dns.port}`,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  });
  await using instance = {
    stop: () => ledger.end('SIGTERM'),
    async [Symbol.asyncDispose]() {
      await ledger.end('SIGTERM'); // also when the test fails
      await runCommand(['migrate', '--status'], { DATA_DIR }); // the last one out stops the database
    },
  };
  const v1 = `${ledger.apiUrl}/v1`;
  const patience = { timeout: 120_000, interval: 500 };
  const domains = () => getAll(`${v1}/domains`, ledger.key, 'domains');
  const states = async () => Object.fromEntries((await domains()).map((each) => [each.domain, each.dmarc_state]));
  await vi.waitFor(
    async () =>
      expect(await states()).toEqual({
        'aurora-books.example': 'verified',
        'harbor-clinic.example': 'verified',
        'lumen-labs.example': 'not_published',
        'news.tidewater.example': 'verified_inherited',
        'northwind-parts.example': 'verified',
        'old-brand.example': 'published_not_ours',
        'tidewater.example': 'verified',
      }),
    patience,
  );
  await vi.waitFor(async () => {
    const sources = await getAll(`${v1}/sources`, ledger.key, 'sources');
    const all = (name: string) => [...new Set(sources.map((source) => String(source[name])))].toSorted();
    expect(all('classification')).toEqual(['authenticated', 'likely_forwarded', 'needs_review', 'suspicious']);
    expect(all('abuse_status')).toEqual(['clean', 'malicious', 'suspicious']);
    expect(all('service_name')).toEqual(expect.arrayContaining(['Amazon SES', 'Google Workspace', 'Microsoft 365']));
  }, patience);
  await vi.waitFor(async () => {
    const { events } = await getJson(`${v1}/events?limit=200`, ledger.key);
    const types = events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['malicious_source', 'policy_upgrade_ready', 'first_report_received', 'api_key_expiring']),
    );
  }, patience);
  const own = /(?:aurora-books|harbor-clinic|lumen-labs|tidewater|northwind-parts|old-brand)\.example$/;
  const reverse = /(?:2\.0\.192|100\.51\.198|113\.0\.203)\.in-addr\.arpa$/;
  expect(dns.seen.filter(({ name }) => own.test(name) || reverse.test(name))).toEqual([]);
  expect(await instance.stop()).toBe(0);
});

import { findChecks } from '@dmarc-ledger/facts';
import { addDomain, type MonitoredOptions, planChecks, removeDomain, setOrganization } from '@dmarc-ledger/ledger';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import { dnsServer } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { askDns } from '../src/index.ts';
import { openLedger } from './ledger.ts';

const PLAN = {
  inHand: 10,
  inHandOfOrganization: 10,
  discoveredInHand: 100,
  silentInHand: 10,
  atOnce: 10,
  lostAfterSeconds: 60,
};

it('a domain that is added again keeps the reports that are expected of it, unless it is said otherwise', async () => {
  await using ledger = await openLedger('Postgres');
  const { db } = ledger.database;
  const expected = async (options: MonitoredOptions) => {
    await addDomain(db, ledger.orgId, 'example.com', options);
    const columns = ['tlsrpt_enabled', 'forensic_enabled', 'aprf_enabled'] as const;
    const row = await db
      .selectFrom('domain')
      .select(columns)
      .where('org_id', '=', ledger.orgId)
      .executeTakeFirstOrThrow();
    return columns.filter((column) => row[column]);
  };
  expect(await expected({})).toEqual([]);
  expect(await expected({ tlsrpt: true })).toEqual(['tlsrpt_enabled']);
  expect(await expected({ aprf: true })).toEqual(['tlsrpt_enabled', 'aprf_enabled']);
  await removeDomain(ledger.database, ledger.orgId, 'example.com');
  expect(await expected({})).toEqual(['tlsrpt_enabled', 'aprf_enabled']);
  expect(await expected({ tlsrpt: false })).toEqual(['aprf_enabled']);
});

it('a domain is checked by its own name servers, and found to report to us', async () => {
  await using dns = await dnsServer({
    '.': 'ns.test. A 127.0.0.1',
    'example.com': '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:rua@ledger.example"\n@ TXT "v=spf1 -all"',
  });
  await using ledger = await openLedger('Postgres', () => {
    const client = openDnsClient({ servers: [dns], timeoutMs: 5_000, isAllowedServer: () => true });
    const search = { client, port: dns.port, isAllowed: () => true };
    const https = guardedFetch({ client });
    return { askDns: (signal) => askDns({ dns: client, search, https, isValidating: false }, signal) };
  });
  const { db } = ledger.database;
  await setOrganization(ledger.database, ledger.orgId, { reportAddresses: ['rua@ledger.example'] });
  const { id } = await addDomain(db, ledger.orgId, 'example.com', {});
  expect(await planChecks(ledger.database, PLAN)).toBe(1);
  await vi.waitFor(async () => expect((await findChecks(db, ledger.orgId, id)).length).toBe(13), { timeout: 60_000 });
  const checks = Object.fromEntries(
    (await findChecks(db, ledger.orgId, id)).map(({ subject, status, details }) => [subject, [status, details]]),
  );
  expect(checks).toMatchObject({
    dmarc_state: ['verified', ''],
    forensic_state: ['not_published', ''],
    tlsrpt_state: ['not_published', ''],
    dmarc: ['ok', 'The DMARC policy is reject.'],
    spf: ['ok', 'The SPF record is valid and uses 0 of 10 DNS lookups.'],
    mta_sts: ['error', 'No MTA-STS record is published.'],
  });
  const domain = await db.selectFrom('domain').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(domain).toMatchObject({ dmarc_state: 'verified', verified_source: 'self', check_planned: false });
  expect(await planChecks(ledger.database, PLAN)).toBe(0);
});

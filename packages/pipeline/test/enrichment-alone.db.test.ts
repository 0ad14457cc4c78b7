import { findEnrichments } from '@dmarc-ledger/facts';
import { type LookupPlan, planLookups } from '@dmarc-ledger/ledger';
import { noReputation, openDnsClient, openZoneAsker, openGeo } from '@dmarc-ledger/lookups';
import { builtInLists, type Blocklist } from '@dmarc-ledger/sources';
import { faultDns, reportXml, type DnsScenario } from '@dmarc-ledger/testkit';
import { expect, it, vi } from 'vitest';
import { openOutside, watchZones } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';

const lists: Blocklist[] = ['spamhaus-zen', 'psbl'].map((id) => ({
  ...builtInLists.find((list) => list.id === id)!,
  zone: { v4: `${id}.test` },
}));
/** One job for all of them. */
const plan: LookupPlan = { inHand: 50, inHandBesideIntake: 50, atOnce: 50, inJob: 50, lostAfterSeconds: 600 };
const record = (name: string, data: string) => ({ answers: [{ type: 'A' as const, name, ttl: 60, data }] });

/** Every list passes its self-test; each answers SERVFAIL for 193.7.8.9, and 193.7.8.10 is on both. */
const scenario: DnsScenario = Object.fromEntries(
  lists.flatMap(({ zone: { v4 } }) => [
    [`2.0.0.127.${v4}`, record(`2.0.0.127.${v4}`, '127.0.0.2')],
    [`9.8.7.193.${v4}`, { rcode: 2 }],
    [`10.8.7.193.${v4}`, record(`10.8.7.193.${v4}`, '127.0.0.2')],
  ]),
);

async function openWith(server: { address: string; port: number }): Promise<Ledger> {
  return await openLedger('Postgres', ({ database }) => {
    const dns = openDnsClient({ servers: [server], timeoutMs: 5_000 });
    const asker = openZoneAsker({ client: dns });
    const zones = watchZones({ database, asker, lists, everyMs: 100, onFault: () => undefined });
    return { outside: openOutside({ dns, geo: openGeo(), reputation: noReputation, lists, zones, asker }), zones };
  });
}

async function lookUp(ledger: Ledger, ips: string[]): Promise<void> {
  await ledger.handIn(reportXml({ records: ips.map((ip) => ({ ip, count: 5 })) }));
  await ledger.settled();
  expect(await planLookups(ledger.database, plan)).toBe(ips.length);
}

it('an address about which every blocklist errs at its first lookup is degraded, and the others of its job are judged', async () => {
  await using server = await faultDns(scenario);
  await using ledger = await openWith(server);
  await lookUp(ledger, ['193.7.8.9', '193.7.8.10']);
  await vi.waitFor(
    async () => {
      const rows = await findEnrichments(ledger.database.db, ['193.7.8.9', '193.7.8.10']);
      const byAddress = Object.fromEntries(rows.map((row) => [row.address, row]));
      expect(byAddress['193.7.8.9']).toMatchObject({ planned: false, list_scope: 'ingest', lists_at: null });
      expect(byAddress['193.7.8.9']?.verdict).toMatchObject({ severity: 'degraded', errored: 2, checked: 0 });
      expect(byAddress['193.7.8.10']?.verdict).toMatchObject({ severity: 'critical', listed: 2 });
    },
    { timeout: 60_000 },
  );
  const { rows } = await ledger.database.pool.query<{ list: string; status: string }>(
    `select list, result ->> 'status' as status from blocklist_result where address = '193.7.8.9' order by list`,
  );
  expect(rows).toEqual([
    { list: 'psbl', status: 'error' },
    { list: 'spamhaus-zen', status: 'error' },
  ]);
});

it('an address whose facts the database refuses is put off, and the others of its job keep theirs', async () => {
  await using server = await faultDns(scenario);
  await using ledger = await openWith(server);
  await ledger.database.pool.query(
    `alter table blocklist_result add constraint refused check (address <> '193.7.8.10') not valid`,
  );
  await lookUp(ledger, ['193.7.8.9', '193.7.8.10', '193.7.8.11']);
  await vi.waitFor(
    async () => {
      const { rows } = await ledger.database.pool.query<{ address: string; known: boolean; put_off: boolean }>(
        `select host(address) as address, verdict is not null as known, due_at > now() + interval '12 hours' as put_off
         from ip_enrichment where not planned order by ip_enrichment.address`,
      );
      expect(rows).toEqual([
        { address: '193.7.8.9', known: true, put_off: false },
        { address: '193.7.8.10', known: false, put_off: true },
        { address: '193.7.8.11', known: true, put_off: expect.any(Boolean) as boolean },
      ]);
    },
    { timeout: 60_000 },
  );
});

import { findEnrichments } from '@dmarc-ledger/facts';
import { planLookups } from '@dmarc-ledger/ledger';
import { noReputation, openDnsClient, openZoneAsker, openGeo } from '@dmarc-ledger/lookups';
import { builtInLists, type Blocklist } from '@dmarc-ledger/sources';
import { dnsServer, reportXml } from '@dmarc-ledger/testkit';
import { describe, expect, it, vi } from 'vitest';
import { openOutside, watchZones } from '../src/index.ts';
import { openLedger } from './ledger.ts';

const zen: Blocklist = { ...builtInLists.find(({ id }) => id === 'spamhaus-zen')!, zone: { v4: 'zen.test' } };
const psbl: Blocklist = { ...builtInLists.find(({ id }) => id === 'psbl')!, zone: { v4: 'psbl.test' } };
const lists = [zen, psbl];
const canaries = '2.0.0.127 A 127.0.0.2';

describe('an address', () => {
  it('is looked up once, judged, and its mail classed by it', async () => {
    await using dns = await dnsServer({
      '.': '',
      'zen.test': `${canaries}\n9.8.7.193 A 127.0.0.2\n9.8.7.193 TXT "listed"`,
      'psbl.test': canaries,
      '193.in-addr.arpa': '9.8.7 PTR mail.evil.test.',
      'evil.test': 'mail A 193.7.8.9',
    });
    await using ledger = await openLedger('Postgres', ({ database }) => {
      const client = openDnsClient({ servers: [dns], timeoutMs: 5_000 });
      const asker = openZoneAsker({ client });
      const zones = watchZones({ database, asker, lists, everyMs: 100, onFault: () => undefined });
      return {
        outside: openOutside({ dns: client, geo: openGeo(), reputation: noReputation, lists, zones, asker }),
        zones,
      };
    });
    await ledger.handIn(
      reportXml({
        records: [
          { ip: '193.7.8.9', count: 5 },
          { ip: '193.7.8.9', count: 3, dkim: 'pass' },
        ],
      }),
    );
    await ledger.settled();
    expect(
      await planLookups(ledger.database, {
        inHand: 10,
        inHandBesideIntake: 10,
        atOnce: 10,
        inJob: 5,
        lostAfterSeconds: 60,
      }),
    ).toBe(1);
    await vi.waitFor(
      async () => {
        const [row] = await findEnrichments(ledger.database.db, ['193.7.8.9']);
        expect(row).toMatchObject({
          planned: false,
          ptr_state: 'confirmed',
          hostname: 'mail.evil.test',
          list_scope: 'ingest',
        });
        expect(row!.verdict).toMatchObject({ severity: 'critical', listed: 1, total: 2 });
      },
      { timeout: 60_000 },
    );
    await ledger.settled();
    const records = await ledger.database.db
      .selectFrom('report_record')
      .select(['messages', 'class'])
      .orderBy('messages')
      .execute();
    expect(records).toEqual([
      { messages: 3, class: 'authenticated' },
      { messages: 5, class: 'suspicious' },
    ]);
    expect(await ledger.drift()).toBe(0);
    expect(
      await planLookups(ledger.database, {
        inHand: 10,
        inHandBesideIntake: 10,
        atOnce: 10,
        inJob: 5,
        lostAfterSeconds: 60,
      }),
    ).toBe(0);
  });
});

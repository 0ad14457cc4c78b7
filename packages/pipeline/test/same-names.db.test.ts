import { createHash } from 'node:crypto';
import { longReportXml, reportXml } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditRaw, openRawReport, replayDeliveries } from '../src/index.ts';
import { zip } from './hostile-deliveries.ts';
import { openLedger, receive, type Ledger } from './ledger.ts';

let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger('Postgres');
});
afterEach(() => ledger[Symbol.asyncDispose]());

const records = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `192.0.2.${i % 256}`, count: 2 }));
const copyOf = (count: number) => ({ id: 'same', records: records(count) });
const LONG = `reporter.example!${'subdomain.'.repeat(8)}example.com!1767225600!1767311999`;

it.each([
  ['of two names', ['a.xml', 'b.xml'], [1, 3], reportXml],
  ['of one name', ['a.xml', 'a.xml'], [1, 3], reportXml],
  ['of one name, the complete one first', ['a.xml', 'a.xml'], [3, 1], reportXml],
  ['of names that begin alike', [`${LONG}!1.xml`, `${LONG}!2.xml`], [1, 3], reportXml],
  ['of one name that are streamed', ['a.xml', 'a.xml'], [4_001, 4_003], longReportXml],
])(
  'of two copies in one archive the complete one counts, and the conflict is shown: %s',
  async (_, names, sizes, xmlOf) => {
    const copies = sizes.map((count) => xmlOf(copyOf(count)));
    const [first] = await receive(ledger, zip(names.map((name, i) => ({ name, data: copies[i]! }))));
    await ledger.settled();
    const { db } = ledger.database;
    const counted = async () => await db.selectFrom('report').select(['id', 'messages']).execute();
    const reports = await counted();
    expect(reports).toMatchObject([{ messages: Math.max(...sizes) * 2 }]);
    const warnings = await db.selectFrom('parse_warning').select('code').execute();
    expect(warnings).toContainEqual({ code: 'duplicate_report_id_conflict' });

    await replayDeliveries(ledger, ledger.orgId, { id: first });
    await ledger.settled();
    expect(await counted()).toEqual(reports);
    expect(await auditRaw(ledger, ledger.orgId, 10)).toEqual({ checked: 1, missing: 0, differing: [] });
    const { rows } = await ledger.database.pool.query<{ copy: string }>(
      `select encode(payload_sha256, 'hex') as copy from report_revision`,
    );
    for (const { copy } of rows) {
      const { content } = await openRawReport(ledger, { orgId: ledger.orgId, id: reports[0]!.id, copy });
      const digest = createHash('sha256');
      for await (const chunk of content) digest.update(chunk);
      expect(digest.digest('hex')).toBe(copy);
    }
    expect([await ledger.drift(), ledger.faults]).toEqual([0, []]);
  },
);

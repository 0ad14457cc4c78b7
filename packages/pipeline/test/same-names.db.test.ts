import { createHash, randomUUID } from 'node:crypto';
import { createOrganization } from '@dmarc-ledger/ledger';
import { longReportXml, reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditRaw, openRawReport, replayDeliveries } from '../src/index.ts';
import { zip } from './hostile-deliveries.ts';
import { driftOf, openLedger, receive, settled, type Ledger } from './ledger.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

const records = (count: number) => Array.from({ length: count }, (_, i) => ({ ip: `192.0.2.${i % 256}`, count: 2 }));
const copyOf = (count: number) => ({ id: 'same', records: records(count) });
const LONG = `reporter.example!${'subdomain.'.repeat(8)}example.com!1767225600!1767311999`;

it.each([
  ['of two names', ['a.xml', 'b.xml'], [1, 3], reportXml],
  ['of one name', ['a.xml', 'a.xml'], [1, 3], reportXml],
  ['of one name, the complete one first', ['a.xml', 'a.xml'], [3, 1], reportXml],
  ['of names that begin alike', [`${LONG}!1.xml`, `${LONG}!2.xml`], [1, 3], reportXml],
  ['of one name that are streamed', ['a.xml', 'a.xml'], [2_501, 2_503], longReportXml],
])(
  'of two copies in one archive the complete one counts, and the conflict is shown: %s',
  async (_, names, sizes, xmlOf) => {
    const copies = sizes.map((count) => xmlOf(copyOf(count)));
    const { database } = ledger;
    const { db } = database;
    const { id: orgId } = await createOrganization(db, { name: randomUUID() });
    const place = { database, blobs: ledger.blobs, orgId };
    const [first] = await receive(place, zip(names.map((name, i) => ({ name, data: copies[i]! }))));
    await settled(place);
    const counted = async () =>
      await db.selectFrom('report').select(['id', 'messages']).where('org_id', '=', orgId).execute();
    const reports = await counted();
    expect(reports).toMatchObject([{ messages: Math.max(...sizes) * 2 }]);
    const warnings = await db.selectFrom('parse_warning').select('code').where('org_id', '=', orgId).execute();
    expect(warnings).toContainEqual({ code: 'duplicate_report_id_conflict' });

    await replayDeliveries(place, orgId, { id: first });
    await settled(place);
    expect(await counted()).toEqual(reports);
    expect(await auditRaw(place, orgId, 10)).toEqual({ checked: 1, missing: 0, differing: [] });
    const { rows } = await database.pool.query<{ copy: string }>(
      `select encode(payload_sha256, 'hex') as copy from report_revision where org_id = $1`,
      [orgId],
    );
    for (const { copy } of rows) {
      const { content } = await openRawReport(place, { orgId, id: reports[0]!.id, copy });
      const digest = createHash('sha256');
      for await (const chunk of content) digest.update(chunk);
      expect(digest.digest('hex')).toBe(copy);
    }
    expect([await driftOf(place), ledger.faults]).toEqual([0, []]);
  },
);

import { gzipSync } from 'node:zlib';
import { reportXml } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openLedger } from './ledger.ts';

const REPORTS = 60;

it('keeps the records of reports that are taken in together in the order of the ids of these reports', async () => {
  await using ledger = await openLedger('Postgres');
  const record = { ip: '192.0.2.1', count: 1, dkim: 'pass' as const, spf: 'pass' as const };
  await ledger.handIn(
    ...Array.from({ length: REPORTS }, (_, i) => gzipSync(reportXml({ id: `r${i}`, records: [record, record] }))),
  );
  await ledger.settled();
  const { rows } = await ledger.database.pool.query<{ reports: string[] }>(
    `select array_agg(report_id::text order by ctid) as reports from stored_record group by xmin::text`,
  );
  expect(Math.max(...rows.map(({ reports }) => new Set(reports).size))).toBeGreaterThan(5);
  for (const { reports } of rows) expect(reports).toEqual(reports.toSorted());
});

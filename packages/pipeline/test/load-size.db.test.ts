import { gzipSync } from 'node:zlib';
import { reportXml } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openLedger } from './ledger.ts';

/** 2.5 MiB in elements that a reader skips. */
const PADDING = `<padding>${' '.repeat(60_000)}</padding>`.repeat(44);
const record = { ip: '192.0.2.1', count: 1, dkim: 'pass' as const, spf: 'pass' as const };

it('takes in reports of up to 16 MiB together in one transaction, and no more', async () => {
  await using ledger = await openLedger('Postgres');
  const contents = Array.from({ length: 8 }, (_, i) =>
    gzipSync(String(reportXml({ id: `r${i}`, records: [record] })).replace('</feedback>', `${PADDING}</feedback>`), {
      level: 0,
    }),
  );
  await ledger.handIn(...contents);
  await ledger.settled();
  const { rows } = await ledger.database.pool.query<{ reports: number }>(
    'select count(*)::int as reports from stored_record group by xmin::text order by 1',
  );
  expect(rows.map(({ reports }) => reports)).toEqual([1, 7]); // seven reach 16 MiB
});

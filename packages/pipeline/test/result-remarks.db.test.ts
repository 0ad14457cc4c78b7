import { measureReports } from '@dmarc-ledger/ledger';
import { giveOwnDetails, reportXml } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';
import { openLedger } from './ledger.ts';

const record = { ip: '192.0.2.1', count: 1, dkim: 'pass' as const, spf: 'pass' as const };
const remarked = reportXml({ id: 'remarked', records: [record] })
  .toString()
  .replace('<result>pass</result></dkim>', '<result>pass</result><human_result>ok</human_result></dkim>');

it('stores the remark on a result where the reporter sent one, and no field for it otherwise', async () => {
  await using ledger = await openLedger('Postgres');
  await ledger.handIn(reportXml({ id: 'plain', records: [record] }), Buffer.from(remarked));
  await ledger.settled();
  const { rows } = await ledger.database.pool.query(
    `select r.report_id as id, c.dkim_results -> 0 as dkim, c.spf_results -> 0 as spf from report_record c
     join report r on r.org_id = c.org_id and r.id = c.report_id order by 1`,
  );
  const dkim = { domain: 'example.com', selector: 's1', result: 'pass' };
  const spf = { domain: 'example.com', scope: 'mfrom', result: 'pass' };
  expect(rows).toEqual([
    { id: 'plain', dkim, spf },
    { id: 'remarked', dkim: { ...dkim, humanResult: 'ok' }, spf },
  ]);
});

it('measures a report that an older version stored with an empty remark as equal to one without', async () => {
  await using ledger = await openLedger('Postgres');
  await ledger.handIn(reportXml({ records: [record] }));
  await ledger.settled();
  const { pool, db } = ledger.database;
  const { rows } = await pool.query<{ org_id: string; id: string }>('select org_id, id from report');
  const measure = async () => await measureReports(db, rows[0]!.org_id, [rows[0]!.id]);
  const now = await measure();
  await giveOwnDetails(db);
  await pool.query(
    `update stored_record set dkim_results = jsonb_set(dkim_results, '{0,humanResult}', 'null'),
       spf_results = jsonb_set(spf_results, '{0,humanResult}', 'null')`,
  );
  expect(await measure()).toEqual(now);
});

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { idText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { givenReports } from '../../db/test/read-reports.ts';
import { givenOrganization, serveApi } from './served.ts';

const RECORDS = 60_000;

it('a report of 60,000 records is streamed, and others are answered meanwhile', async () => {
  await using served = await serveApi();
  const org = await givenOrganization(served, 'Large');
  const dkim = [{ domain: 'example.com', selector: 's1', result: 'pass', humanResult: null }];
  const [id] = await givenReports(served.db, org.id, [{ records: [{}] }]);
  await sql`insert into report_record
    select org_id, report_id, n, day, domain_id, '10.0.0.0'::inet + n, null, 1, 'none', true, false, header_from, 'a.example', null, null,
      ${JSON.stringify(dkim)}::jsonb, null, array[true], null, 'authenticated'
    from report_record cross join generate_series(1, ${RECORDS - 1}::int) as n where report_id = ${id!}`.execute(
    served.db,
  );
  await sql`vacuum analyze report_record`.execute(served.db);

  const response = await fetch(`${served.url}/v1/reports/${idText(id!)}`, {
    headers: { authorization: `Bearer ${org.key}` },
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body!) pieces.push(piece);
  delay.disable();

  // 99 of 100 looks at the loop, in milliseconds: the collector of garbage may stop everything once in a while.
  expect(delay.percentile(99) / 1e6).toBeLessThan(20);
  const body = JSON.parse(Buffer.concat(pieces).toString()) as {
    Records: unknown[];
    record_alignment: unknown[];
    record_classifications: unknown[];
  };
  expect([body.Records.length, body.record_alignment.length, body.record_classifications.length]).toEqual([
    RECORDS,
    RECORDS,
    RECORDS,
  ]);
});

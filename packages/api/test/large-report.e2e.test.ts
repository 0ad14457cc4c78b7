import { idText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { givenReports } from '@dmarc-ledger/testkit';
import { givenOrganization, serveApi } from './served.ts';

const RECORDS = 60_000;

it('a report of 60,000 records is streamed, and others are answered meanwhile', async () => {
  await using served = await serveApi();
  const org = await givenOrganization(served, 'Large');
  const dkim = [{ domain: 'example.com', selector: 's1', result: 'pass', humanResult: null }];
  const [id] = await givenReports(served.db, org.id, [{ records: [{}] }]);
  await sql`insert into stored_record (org_id, report_id, position, day, domain_id, source_ip, messages, disposition, dkim_pass,
      spf_pass, header_from, envelope_from, dkim_results, dkim_aligned, class)
    select org_id, report_id, n, day, domain_id, '10.0.0.0'::inet + n, 1, 'none', true, false, header_from, 'a.example',
      ${JSON.stringify(dkim)}::jsonb, array[true], 'authenticated'
    from report_record cross join generate_series(1, ${RECORDS - 1}::int) as n where report_id = ${id!}`.execute(
    served.db,
  );
  await sql`vacuum analyze stored_record`.execute(served.db);

  const turns = watchTurns();
  const response = await fetch(`${served.url}/v1/reports/${idText(id!)}`, {
    headers: { authorization: `Bearer ${org.key}` },
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body!) pieces.push(piece);
  const milliseconds = turns.end();

  // 99 of 100 turns: the garbage collector may pause one.
  expect(milliseconds[Math.floor(milliseconds.length * 0.99)]).toBeLessThan(100);
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

/** The processor time of each turn of the event loop, shortest first; other processes do not count. */
function watchTurns(): { end(): number[] } {
  const turns: number[] = [];
  let last = process.cpuUsage();
  let next = setImmediate(turn);
  function turn(): void {
    const { user, system } = process.cpuUsage(last);
    turns.push((user + system) / 1000);
    last = process.cpuUsage();
    next = setImmediate(turn);
  }
  return {
    end() {
      clearImmediate(next);
      return turns.filter((milliseconds) => milliseconds > 0.5).toSorted((a, b) => a - b);
    },
  };
}

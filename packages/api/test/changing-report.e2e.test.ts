import { idText } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { givenReports } from '@dmarc-ledger/testkit';
import { givenOrganization, serveApi } from './served.ts';

const RECORDS = 60_000;

it.each([
  ['is deleted', sql`with d as (delete from stored_record) delete from report`],
  ['is replaced by another copy', sql`update report set version = version + 1`],
])('a large answer whose report %s while it is sent is broken off, and not passed as whole', async (_, change) => {
  await using served = await serveApi();
  const org = await givenOrganization(served, 'Large');
  const [id] = await givenReports(served.db, org.id, [{ records: [{}] }]);
  await sql`insert into stored_record (org_id, report_id, position, day, domain_id, source_ip, messages, disposition, dkim_pass,
      spf_pass, header_from, envelope_from)
    select org_id, report_id, n, day, domain_id, '10.0.0.0'::inet + n, 1, 'none', true, false, header_from, 'a.example'
    from report_record cross join generate_series(1, ${RECORDS - 1}::int) as n where report_id = ${id!}`.execute(
    served.db,
  );
  await sql`vacuum analyze stored_record`.execute(served.db);
  const response = await fetch(`${served.url}/v1/reports/${idText(id!)}`, {
    headers: { authorization: `Bearer ${org.key}` },
  });
  expect(response.status).toBe(200);
  await change.execute(served.db);
  await expect(response.text()).rejects.toThrow('terminated');
});

import { sql } from 'kysely';
import { createOrganization } from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { countEverything } from './count-everything.ts';

export interface Many {
  reports: number;
  recordsEach: number;
  domains: number;
  reporters: number;
  sources: number;
}

/**
 * An organization with many reports over the year 2025, written by the database itself: busy and quiet domains and
 * sources, half of the reports wholly compliant, ends at midnight, so that every sort has large groups of equal keys.
 */
export async function givenMany(db: Db, name: string, many: Many): Promise<string> {
  const { id: orgId } = await createOrganization(db, { name });
  const org = sql`${orgId}::uuid`;
  const id = (kind: string, n: ReturnType<typeof sql>) => sql`md5(${`${kind}${orgId}`} || (${n})::text)::uuid`;
  const skewed = (count: number, seed: number) =>
    sql.raw(`floor(${count} * power(abs(hashint8(n * 31 + ${seed}))::float8 / 2147483648, 3))::int`);
  await sql`insert into domain (org_id, id, name, source)
    select ${org}, ${id('domain', sql`n`)}, 'd' || n || '.example', 'auto' from generate_series(0, ${many.domains - 1}::int) as n`.execute(
    db,
  );
  await sql`insert into reporter (org_id, id, name)
    select ${org}, ${id('reporter', sql`n`)}, 'Reporter ' || n || ' Inc.' from generate_series(0, ${many.reporters - 1}::int) as n`.execute(
    db,
  );
  await sql`insert into report (org_id, id, identity, domain_id, reporter_id, domain, reporter_name, report_id, date_begin,
      date_end, begin_day, end_day, day, received_at, records, messages, compliant, spf_pass, dkim_pass, compliance, result,
      spf_only, dkim_only, both_failed, policy_p, metadata, policy, payload_sha256)
    select ${org}, ${id('report', sql`n`)}, decode(md5('identity' || n), 'hex'),
      ${id('domain', sql`d`)}, ${id('reporter', sql`r`)}, 'd' || d || '.example', 'Reporter ' || r || ' Inc.',
      md5('id' || n), begin_at, begin_at + interval '1 day', begin_at::date, begin_at::date + 1, begin_at::date,
      begin_at + interval '30 hours' + n * interval '1 ms', ${many.recordsEach}, 0, 0, 0, 0, 0, 'none', 0, 0, 0, 'none', '{}', '{}', ''
    from generate_series(1, ${many.reports}::int) as n,
      lateral (select ${skewed(many.domains, 1)} as d, ${skewed(many.reporters, 2)} as r,
        timestamptz '2025-01-01' + (abs(hashint8(n * 31 + 3)) % 365) * interval '1 day' as begin_at) as chosen`.execute(
    db,
  );
  await sql`insert into report_record (org_id, report_id, position, day, domain_id, source_ip, messages, disposition, dkim_pass,
      spf_pass, header_from, class)
    select org_id, id, position, day, domain_id, '10.0.0.0'::inet + source, 1 + abs(hashint8(n)) % 40, 'none',
      n % 20 <> 0, n % 3 <> 0, domain,
      case when n % 20 = 0 and n % 3 = 0 then 'needs_review' else 'authenticated' end
    from report cross join generate_series(0, ${many.recordsEach - 1}::int) as position,
      lateral (select abs(hashtext(id::text || position)::bigint) as n) as hashed,
      lateral (select ${skewed(many.sources, 4)} as source) as chosen
    where org_id = ${org}`.execute(db);
  await sql`analyze report, report_record`.execute(db);
  await countEverything(db, orgId);
  await sql`vacuum analyze`.execute(db);
  return orgId;
}

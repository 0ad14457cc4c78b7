import { sql } from 'kysely';
import type { Db } from '@dmarc-ledger/db';

const sums = sql`count(distinct record.report_id), sum(record.messages), coalesce(sum(record.messages) filter (where record.dkim_pass or record.spf_pass), 0),
  coalesce(sum(record.messages) filter (where record.spf_pass), 0), coalesce(sum(record.messages) filter (where record.dkim_pass), 0)`;
const failing = sql`coalesce(sum(record.messages) filter (where not record.dkim_pass and not record.spf_pass and record.class = 'likely_forwarded'), 0)`;
const classes = sql`${failing},
  coalesce(sum(record.messages) filter (where not record.dkim_pass and not record.spf_pass and record.class = 'suspicious'), 0),
  coalesce(sum(record.messages) filter (where not record.dkim_pass and not record.spf_pass and record.class = 'needs_review'), 0)`;
const fromRecords = sql`from report_record as record join report on report.org_id = record.org_id and report.id = record.report_id`;
const ofReports = sql`count(*), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass)`;

/**
 * Fills every rollup and count of an organization from its reports and records, by plain grouping: slow, obvious, and
 * owing nothing to the code that keeps them up to date.
 */
export async function countEverything(db: Db, orgId: string): Promise<void> {
  for (const table of rollups) await sql`delete from ${sql.table(table)} where org_id = ${orgId}`.execute(db);
  for (const statement of statements(sql`${orgId}::uuid`)) await statement.execute(db);
}

const rollups = [
  'source_domain_day',
  'source_domain',
  'source_total',
  'domain_day',
  'org_day',
  'domain_total',
  'org_total',
  'report_count_day',
  'org_report_count_day',
  'report_count_reporter',
];

function statements(org: ReturnType<typeof sql>) {
  return [
    sql`insert into source_domain_day
      select record.org_id, source_ip, record.day, record.domain_id, ${sums}, ${classes}, min(date_begin), max(date_end)
      ${fromRecords} where record.org_id = ${org} group by 1, 2, 3, 4`,
    sql`insert into source_domain
      select record.org_id, source_ip, record.domain_id, ${sums}, ${classes}, min(date_begin), max(date_end)
      ${fromRecords} where record.org_id = ${org} group by 1, 2, 3`,
    sql`insert into source_total
      select org_id, source_ip, null, count(*), sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass),
        2 * sum(messages) - sum(spf_pass) - sum(dkim_pass),
        compliance_of(sum(compliant)::bigint, sum(messages)::bigint), sum(forwarded), sum(suspicious), sum(needs_review),
        min(first_seen), max(last_seen)
      from source_domain where org_id = ${org} group by 1, 2`,
    sql`update source_total as total set source_text = newest.source_text
      from (select distinct on (source_ip) source_ip, source_text
        from report_record as record join report on report.org_id = record.org_id and report.id = record.report_id
        where record.org_id = ${org} order by source_ip, date_end desc nulls last) as newest
      where total.org_id = ${org} and total.source_ip = newest.source_ip and newest.source_text is not null`,
    sql`insert into domain_day
      select org_id, domain_id, day, ${ofReports}, 0 from report where org_id = ${org} group by 1, 2, 3`,
    sql`insert into org_day select org_id, day, ${ofReports}, 0 from report where org_id = ${org} group by 1, 2`,
    sql`insert into domain_total
      select org_id, domain_id, ${ofReports},
        (select count(*) from source_domain as s where s.org_id = report.org_id and s.domain_id = report.domain_id),
        (select count(*) from source_domain as s where s.org_id = report.org_id and s.domain_id = report.domain_id
          and (s.spf_pass < s.messages or s.dkim_pass < s.messages))
      from report where org_id = ${org} group by 1, 2`,
    sql`insert into org_total
      select org_id, ${ofReports}, count(distinct domain_id),
        (select count(*) from source_total as s where s.org_id = ${org}),
        (select count(*) from source_total as s where s.org_id = ${org} and auth_failures > 0)
      from report where org_id = ${org} group by 1`,
    sql`insert into report_count_day
      select org_id, domain_id, end_day, begin_day, result, count(*) from report where org_id = ${org} group by 1, 2, 3, 4, 5`,
    sql`insert into org_report_count_day
      select org_id, end_day, begin_day, result, count(*) from report where org_id = ${org} group by 1, 2, 3, 4`,
    sql`insert into report_count_reporter
      select org_id, reporter_id, domain_id, count(*) from report where org_id = ${org} group by 1, 2, 3`,
  ];
}

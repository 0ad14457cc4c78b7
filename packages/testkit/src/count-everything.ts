import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/**
 * Fills the sums of an organization's reports, every rollup and every count from its records, by plain grouping: slow,
 * obvious, and independent of the code that keeps them up to date.
 */
export async function countEverything(db: Db, orgId: string): Promise<void> {
  const org = sql`${orgId}::uuid`;
  for (const table of rollups) await sql`delete from ${sql.table(table)} where org_id = ${org}`.execute(db);
  for (const statement of [sumReports(org), ...countSources(org), ...countDays(org), ...countReports(org)]) {
    await statement.execute(db);
  }
}

/** The tables that it fills. */
export const rollups = [
  'source_domain_day',
  'source_domain',
  'source_total',
  'source_address',
  'domain_day',
  'org_day',
  'domain_total',
  'org_total',
  'report_count_day',
  'org_report_count_day',
  'report_count_reporter',
];

type Sql = ReturnType<typeof sql>;

/** Messages of the records that meet a condition. */
const messagesWhere = (condition: Sql) => sql`coalesce(sum(record.messages) filter (where ${condition}), 0)::bigint`;
const passed = sql`(record.dkim_pass or record.spf_pass)`;
const failedAs = (name: string) => messagesWhere(sql`not ${passed} and record.class = ${name}`);
const recordSums = sql`coalesce(sum(record.messages), 0)::bigint as messages, ${messagesWhere(passed)} as compliant,
  ${messagesWhere(sql`record.spf_pass`)} as spf_pass, ${messagesWhere(sql`record.dkim_pass`)} as dkim_pass`;

function sumReports(org: Sql): Sql {
  return sql`update report set records = sums.records, messages = sums.messages, compliant = sums.compliant,
      spf_pass = sums.spf_pass, dkim_pass = sums.dkim_pass, compliance = compliance_of(sums.compliant, sums.messages),
      result = case when sums.messages = 0 then 'none' when sums.compliant = sums.messages then 'pass' else 'fail' end,
      spf_only = sums.spf_only, dkim_only = sums.dkim_only, both_failed = sums.both_failed
    from (select report_id, count(*) as records, ${recordSums},
      count(*) filter (where dkim_pass and not spf_pass) as spf_only,
        count(*) filter (where spf_pass and not dkim_pass) as dkim_only,
          count(*) filter (where not ${passed}) as both_failed
      from stored_record as record where org_id = ${org} group by report_id) as sums
    where report.org_id = ${org} and report.id = sums.report_id`;
}

function countSources(org: Sql): Sql[] {
  const sums = sql`reports, messages, compliant, spf_pass, dkim_pass, forwarded, suspicious, needs_review,
    first_seen, last_seen`;
  const grouped = sql`count(distinct record.report_id), ${recordSums}, ${failedAs('likely_forwarded')},
    ${failedAs('suspicious')}, ${failedAs('needs_review')}, min(date_begin), max(date_end)
    from stored_record as record join report on report.org_id = record.org_id and report.id = record.report_id
    where record.org_id = ${org}`;
  return [
    sql`insert into source_domain_day (org_id, source_ip, day, domain_id, ${sums})
      select record.org_id, source_ip, record.day, record.domain_id, ${grouped} group by 1, 2, 3, 4`,
    sql`insert into source_domain (org_id, source_ip, domain_id, ${sums})
      select record.org_id, source_ip, record.domain_id, ${grouped} group by 1, 2, 3`,
    sql`insert into source_total (org_id, source_ip, ${sums}, domains, auth_failures, compliance, last_day)
      select org_id, source_ip, sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass),
        sum(forwarded), sum(suspicious), sum(needs_review), min(first_seen), max(last_seen), count(*),
        2 * sum(messages) - sum(spf_pass) - sum(dkim_pass),
          compliance_of(sum(compliant)::bigint, sum(messages)::bigint),
        (select max(day) from source_domain_day as daily where daily.org_id = ${org}
          and daily.source_ip = source_domain.source_ip)
      from source_domain where org_id = ${org} group by 1, 2`,
    sql`insert into source_address (org_id, source_ip) select org_id, source_ip from source_total
      where org_id = ${org}`,
    sql`update source_total as total set source_text = newest.source_text
      from (select distinct on (source_ip) source_ip, source_text
        from stored_record as record join report on report.org_id = record.org_id and report.id = record.report_id
        where record.org_id = ${org} order by source_ip, date_end desc nulls last) as newest
      where total.org_id = ${org} and total.source_ip = newest.source_ip and newest.source_text is not null`,
  ];
}

const sumNames = sql`reports, messages, compliant, spf_pass, dkim_pass`;
const ofReports = sql`count(*), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass)`;

function countDays(org: Sql): Sql[] {
  const sourcesOf = (condition: Sql) => sql`(select count(*) from source_domain as source
    where source.org_id = report.org_id and source.domain_id = report.domain_id and ${condition})`;
  const ofSources = sql`select org_id, domain_id, day, sum(forwarded) as forwarded from source_domain_day
    where org_id = ${org} group by 1, 2, 3`;
  return [
    sql`insert into domain_day (org_id, domain_id, day, ${sumNames})
      select org_id, domain_id, day, ${ofReports} from report where org_id = ${org} group by 1, 2, 3`,
    // put together by its key, because a join would be planned without statistics
    sql`insert into domain_day as t (org_id, domain_id, day, reports, messages, compliant, spf_pass, dkim_pass,
      forwarded)
      select org_id, domain_id, day, 0, 0, 0, 0, 0, forwarded from (${ofSources}) as sums where forwarded > 0
      on conflict (org_id, domain_id, day) do update set forwarded = excluded.forwarded`,
    sql`insert into org_day (org_id, day, ${sumNames}, forwarded)
      select org_id, day, sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass), sum(forwarded)
      from domain_day where org_id = ${org} group by 1, 2`,
    sql`insert into domain_total (org_id, domain_id, ${sumNames}, sources, failing_sources)
      select org_id, domain_id, ${ofReports}, ${sourcesOf(sql`true`)},
        ${sourcesOf(sql`(spf_pass < messages or dkim_pass < messages)`)}
      from report where org_id = ${org} group by 1, 2`,
    sql`insert into org_total (org_id, ${sumNames}, domains, sources, failing_sources, sources_indexed)
      select org_id, ${ofReports}, count(distinct domain_id), (select count(*) from source_total where org_id = ${org}),
        (select count(*) from source_total where org_id = ${org} and auth_failures > 0), true
      from report where org_id = ${org} group by 1`,
  ];
}

function countReports(org: Sql): Sql[] {
  const counted = (table: string, keys: Sql) => sql`insert into ${sql.table(table)} (org_id, ${keys}, reports)
    select org_id, ${keys}, count(*) from report where org_id = ${org} group by org_id, ${keys}`;
  return [
    counted('report_count_day', sql`domain_id, end_day, begin_day, result`),
    counted('org_report_count_day', sql`end_day, begin_day, result`),
    counted('report_count_reporter', sql`reporter_id, domain_id, result`),
  ];
}

import { DETAILED } from './detailed-records.ts';

// These queries define the rollups a second time, independently of rollups/record-sums.ts: an audit that shared the
// fragments it checks would repeat their faults.

/**
 * What each rollup must contain, as a query on its source data, beside a query on the rollup itself. Their difference
 * is drift. `$1` is the organization; a key with a count of zero may be present or absent.
 */
export interface Expectation {
  table: string;
  expected: string;
  held: string;
}

const RECORD_SUMS = `count(distinct r.report_id) as reports, sum(r.messages)::bigint as messages,
  coalesce(sum(r.messages) filter (where r.dkim_pass or r.spf_pass), 0)::bigint as compliant,
  coalesce(sum(r.messages) filter (where r.spf_pass), 0)::bigint as spf_pass,
  coalesce(sum(r.messages) filter (where r.dkim_pass), 0)::bigint as dkim_pass,
  coalesce(sum(r.messages) filter (where r.class = 'likely_forwarded'), 0)::bigint as forwarded,
  coalesce(sum(r.messages) filter (where r.class = 'suspicious'), 0)::bigint as suspicious,
  coalesce(sum(r.messages) filter (where r.class = 'needs_review'), 0)::bigint as needs_review,
  min(p.date_begin), max(p.date_end)`;
const PROVED = "coalesce(sum(r.messages) filter (where r.proved and r.class = 'likely_forwarded'), 0)::bigint";
const RECORDS = 'stored_record r join report p on p.org_id = r.org_id and p.id = r.report_id where r.org_id = $1';
const SUMS =
  'reports, messages, compliant, spf_pass, dkim_pass, forwarded, suspicious, needs_review, first_seen, last_seen';
const BELOW = `sum(reports)::bigint, sum(messages)::bigint, sum(compliant)::bigint,
  sum(spf_pass)::bigint, sum(dkim_pass)::bigint, sum(forwarded)::bigint, sum(suspicious)::bigint, sum(needs_review)::bigint, min(first_seen), max(last_seen)`;
const REPORT_SUMS = `count(*) as reports, sum(messages)::bigint as messages, sum(compliant)::bigint as compliant,
  sum(spf_pass)::bigint as spf_pass, sum(dkim_pass)::bigint as dkim_pass`;
const FORWARDED = `select domain_id, day, sum(messages)::bigint as forwarded,
    coalesce(sum(messages) filter (where proved), 0)::bigint as proved from stored_record
  where org_id = $1 and class = 'likely_forwarded' group by domain_id, day`;

/** A source that is left out of the indexes of a long list is not in the list. */
const IS_LISTED = '(indexed or not exists (select from org_total where org_id = $1 and sources_indexed))';

const DETAILED_RECORDS = `(
    select ${DETAILED} from stored_record s left join record_detail d on d.org_id = $1 and d.id = s.detail_id
    where s.org_id = $1)`;

/** The fate of a record: its disposition, or whether an exact identity is among those that passed. */
const EXACT = `lower(x ->> 'result') = 'pass' and x ->> 'domain' = r.header_from`;
const FATE = `case when not r.dkim_pass and not r.spf_pass then r.disposition
  when r.header_from ~ '^[a-z0-9._-]*[a-z0-9_-]$' and r.header_from <> 'not.evaluated'
    and length(r.header_from) < 254 and (
    exists (select from jsonb_array_elements(case jsonb_typeof(r.dkim_results) when 'array' then r.dkim_results
      else '[]' end) x where ${EXACT})
    or exists (select from jsonb_array_elements(case jsonb_typeof(r.spf_results) when 'array' then r.spf_results
      else '[]' end) x
      where ${EXACT} and (x ->> 'scope' is distinct from 'helo' or r.envelope_from = ''))) then 'strict'
  else 'relaxed' end`;

export const expectations: readonly Expectation[] = [
  {
    table: 'record_detail',
    expected: 'select distinct detail_id from stored_record where org_id = $1 and detail_id is not null',
    held: `select id from (select distinct detail_id as id from stored_record where org_id = $1) r
      join record_detail d using (id) where d.org_id = $1`,
  },
  {
    table: 'report',
    expected: `select report_id, count(*), sum(messages)::bigint,
        coalesce(sum(messages) filter (where dkim_pass or spf_pass), 0)::bigint,
          coalesce(sum(messages) filter (where spf_pass), 0)::bigint,
        coalesce(sum(messages) filter (where dkim_pass), 0)::bigint
      from stored_record where org_id = $1 group by report_id`,
    held: 'select id, records, messages, compliant, spf_pass, dkim_pass from report where org_id = $1 and records > 0',
  },
  {
    table: 'source_domain_day',
    expected: `select r.source_ip, r.day, r.domain_id, ${RECORD_SUMS}, ${PROVED} from ${RECORDS} group by 1, 2, 3`,
    held: `select source_ip, day, domain_id, ${SUMS}, proved from source_domain_day where org_id = $1 and reports <> 0`,
  },
  {
    table: 'source_domain',
    expected: `select r.source_ip, r.domain_id, ${RECORD_SUMS}, ${PROVED} from ${RECORDS} group by 1, 2`,
    held: `select source_ip, domain_id, ${SUMS}, proved from source_domain
      where org_id = $1 and reports <> 0 and ${IS_LISTED}`,
  },
  {
    table: 'source_total',
    expected: `select source_ip, ${BELOW}, count(*),
      2 * sum(messages)::bigint - sum(spf_pass)::bigint - sum(dkim_pass)::bigint,
        compliance_of(sum(compliant)::bigint, sum(messages)::bigint), l.day
      from source_domain join (select source_ip, max(day) as day from source_domain_day where org_id = $1
        and reports <> 0 group by 1) l
        using (source_ip)
      where org_id = $1 and reports <> 0 group by source_ip, l.day`,
    held: `select source_ip, ${SUMS}, domains, auth_failures, compliance, last_day from source_total
      where org_id = $1 and reports <> 0 and ${IS_LISTED}`,
  },
  {
    table: 'domain_day',
    expected: `select domain_id, day, p.reports, p.messages, p.compliant, p.spf_pass, p.dkim_pass,
        coalesce(f.forwarded, 0), coalesce(f.proved, 0)
      from (select domain_id, day, ${REPORT_SUMS} from report where org_id = $1 group by 1, 2) p
        left join (${FORWARDED}) f using (domain_id, day)`,
    held:
      'select domain_id, day, reports, messages, compliant, spf_pass, dkim_pass, forwarded, proved from ' +
      'domain_day where org_id = $1 and reports <> 0',
  },
  {
    // days whose revision is old are read from the records, so only the others must be right
    table: 'enforcement_day',
    expected: `select e.domain_id, e.day, case when f.fate in ('reject', 'strict') then null else r.source_ip end,
        nullif(r.header_from, n.name), f.fate, sum(r.messages)::bigint
      from enforcement_day e join domain_day d using (org_id, domain_id, day, revision)
        join domain n on n.org_id = $1 and n.id = e.domain_id
        join report p on p.org_id = $1 and p.domain_id = e.domain_id and p.day = e.day
        join ${DETAILED_RECORDS} r on r.report_id = p.id
        cross join lateral (select ${FATE} as fate) f
      where e.org_id = $1 group by 1, 2, 3, 4, 5`,
    held: `select e.domain_id, e.day, u.source, u.name, u.fate, u.messages
      from enforcement_day e join domain_day d using (org_id, domain_id, day, revision)
        cross join lateral unnest(e.sources, e.names, e.fates, e.messages) as u (source, name, fate, messages)
      where e.org_id = $1`,
  },
  {
    table: 'org_day',
    expected: `select day, sum(reports)::bigint, sum(messages)::bigint, sum(compliant)::bigint,
      sum(spf_pass)::bigint, sum(dkim_pass)::bigint,
      sum(forwarded)::bigint from domain_day where org_id = $1 and reports <> 0 group by 1`,
    held:
      'select day, reports, messages, compliant, spf_pass, dkim_pass, forwarded from org_day where org_id = $1 ' +
      'and reports <> 0',
  },
  {
    table: 'domain_total',
    expected: `select p.*, coalesce(s.sources, 0), coalesce(s.failing, 0)
      from (select domain_id, ${REPORT_SUMS} from report where org_id = $1 group by 1) p
      left join (select domain_id, count(*) as sources,
        count(*) filter (where 2 * messages - spf_pass - dkim_pass > 0) as failing
        from source_domain where org_id = $1 and reports <> 0 group by 1) s using (domain_id)`,
    held: `select domain_id, reports, messages, compliant, spf_pass, dkim_pass, sources, failing_sources
      from domain_total
      where org_id = $1 and reports <> 0`,
  },
  {
    table: 'org_total',
    expected: `select ${REPORT_SUMS}, count(distinct domain_id),
        (select count(*) from source_total where org_id = $1 and reports <> 0),
        (select count(*) from source_total where org_id = $1 and reports <> 0 and auth_failures > 0)
      from report where org_id = $1 having count(*) > 0`,
    held:
      'select reports, messages, compliant, spf_pass, dkim_pass, domains, sources, failing_sources from ' +
      'org_total where org_id = $1 and reports <> 0',
  },
  {
    table: 'report_count_day',
    expected:
      'select domain_id, end_day, begin_day, result, count(*) from report where org_id = $1 group by 1, 2, 3, 4',
    held:
      'select domain_id, end_day, begin_day, result, reports from report_count_day where org_id = $1 and reports ' +
      '<> 0',
  },
  {
    table: 'org_report_count_day',
    expected: 'select end_day, begin_day, result, count(*) from report where org_id = $1 group by 1, 2, 3',
    held: 'select end_day, begin_day, result, reports from org_report_count_day where org_id = $1 and reports <> 0',
  },
  {
    table: 'report_count_reporter',
    expected: 'select reporter_id, domain_id, result, count(*) from report where org_id = $1 group by 1, 2, 3',
    held:
      'select reporter_id, domain_id, result, reports from report_count_reporter where org_id = $1 and reports ' +
      '<> 0',
  },
];

/** The expected content of a rollup, with the columns of both queries by name. */
export function expectationOf(table: string): Expectation & { columns: string[] } {
  const expectation = expectations.find((one) => one.table === table);
  if (!expectation) throw new Error(`Nothing is expected of a table ${table}.`);
  const held = expectation.held.replaceAll(/\s+/g, ' ');
  return { ...expectation, columns: held.slice('select '.length, held.indexOf(' from ')).split(', ') };
}

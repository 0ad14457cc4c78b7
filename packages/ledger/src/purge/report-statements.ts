import type { Statement } from '@dmarc-ledger/schema';
import { authFailures, IS_FORWARDED } from '../rollups/record-sums.ts';

/** The oldest reports, without those that another transaction has locked. */
export const pickReports: Statement = {
  name: 'pick-reports',
  text: `
    select id, records, messages from report where org_id = $1 and received_at < $2::timestamptz
    order by received_at, id limit $3 for update skip locked`,
};

/** Deletes the records of reports. Returns the keys of the lowest level that they were counted in. */
export const takeRecords: Statement = {
  name: 'take-records',
  text: `
    with gone as (
      delete from stored_record where org_id = $1 and report_id = any($2::uuid[])
      returning source_ip, day, domain_id, messages, class, proved
    )
    select source_ip, day, domain_id, coalesce(sum(messages) filter (where ${IS_FORWARDED}), 0) as forwarded,
      coalesce(sum(messages) filter (where proved), 0) as proved
    from gone group by source_ip, day, domain_id order by source_ip, day, domain_id`,
};

const LOST = `json_to_recordset($2::json)
      as k (source_ip inet, day date, domain_id uuid, forwarded bigint, proved bigint)`;

/** How many of the sources in these keys count: for each domain, and with domain null for the organization. */
export const countHeldSources: Statement = {
  name: 'count-held-sources',
  text: `
    select k.domain_id, count(s.source_ip) as sources,
      count(s.source_ip) filter (where ${authFailures('s')} > 0) as failing_sources
    from (select distinct source_ip, domain_id from ${LOST}) k left join source_domain s
      on s.org_id = $1 and s.source_ip = k.source_ip and s.domain_id = k.domain_id and s.reports > 0
    group by k.domain_id
    union all
    select null, count(t.source_ip), count(t.source_ip) filter (where t.auth_failures > 0)
    from (select distinct source_ip from ${LOST}) k left join source_total t
      on t.org_id = $1 and t.source_ip = k.source_ip and t.reports > 0`,
};

/** The messages by class of days; their rows are locked already. */
export const takeForwarded: Statement = {
  name: 'take-forwarded',
  text: `
    with lost as (
      select day, domain_id, sum(forwarded) as forwarded, sum(proved) as proved from ${LOST} where forwarded > 0
        group by day, domain_id
    ), org_days as (
      update org_day d set forwarded = d.forwarded - l.forwarded
      from (select day, sum(forwarded) as forwarded from lost group by day) l where d.org_id = $1 and d.day = l.day
    )
    update domain_day d set forwarded = d.forwarded - l.forwarded, proved = d.proved - l.proved
    from lost l where d.org_id = $1 and d.domain_id = l.domain_id and d.day = l.day`,
};

/**
 * Deletes days and counts that the last report has left empty, and stops monitoring domains that only reports had
 * added; returns those. All these rows are locked already.
 */
export const dropEmptyDays: Statement = {
  name: 'drop-empty-days',
  text: `
    with r as (
      select distinct domain_id, reporter_id, day, end_day, begin_day, result from report where org_id = $1
        and id = any($2::uuid[])
    ), domain_days as (
      delete from domain_day t using (select distinct domain_id, day from r) k
      where t.org_id = $1 and t.domain_id = k.domain_id and t.day = k.day and t.reports = 0
    ), fates as (
      delete from enforcement_day e using domain_day t, (select distinct domain_id, day from r) k
      where t.org_id = $1 and t.domain_id = k.domain_id and t.day = k.day and t.reports = 0
        and e.org_id = $1 and e.domain_id = k.domain_id and e.day = k.day
    ), org_days as (
      delete from org_day t using (select distinct day from r) k where t.org_id = $1 and t.day = k.day and t.reports = 0
    ), counted as (
      delete from report_count_day t using (select distinct domain_id, end_day, begin_day, result from r) k
      where t.org_id = $1 and t.domain_id = k.domain_id and t.end_day = k.end_day and t.begin_day = k.begin_day
        and t.result = k.result and t.reports = 0
    ), counted_all as (
      delete from org_report_count_day t using (select distinct end_day, begin_day, result from r) k
      where t.org_id = $1 and t.end_day = k.end_day and t.begin_day = k.begin_day and t.result = k.result
        and t.reports = 0
    ), counted_reporters as (
      delete from report_count_reporter t using (select distinct reporter_id, domain_id, result from r) k
      where t.org_id = $1 and t.reporter_id = k.reporter_id and t.domain_id = k.domain_id and t.result = k.result
        and t.reports = 0
    )
    update domain d set monitored = false, left_at = now()
    from (select distinct t.domain_id from r join domain_total t on t.org_id = $1 and t.domain_id = r.domain_id
      and t.reports = 0) e
    where d.org_id = $1 and d.id = e.domain_id and d.source = 'auto' and d.monitored returning d.id`,
};

/**
 * Deletes reports and all rows that reference them, and returns the contents of their copies; their records are deleted
 * already.
 */
export const dropReports: Statement = {
  name: 'drop-reports',
  text: `
    with warnings as (
      delete from parse_warning where org_id = $1 and report_id = any($2::uuid[])
    ), unjudged as (
      delete from unjudged_report where org_id = $1 and report_id = any($2::uuid[])
    ), gone as (
      delete from report where org_id = $1 and id = any($2::uuid[])
    )
    delete from report_revision where org_id = $1 and report_id = any($2::uuid[]) returning payload_sha256`,
};

import type { Statement } from '@dmarc-ledger/schema';
import { reportWithId } from '../keys/by-key.ts';
import { ARE_INDEXED } from './index-sources.ts';
import { authFailures, CLASS_SUMS, MESSAGE_SUMS, SEEN } from './record-sums.ts';

/**
 * The records of the reports just stored, each report and its records found by their keys. ORDER BY and OFFSET do not
 * change the result: they force this plan, even while the planner's statistics show empty tables.
 */
const STORED_RECORDS = `unnest($2::uuid[]) as k (id)
        cross join lateral (${reportWithId('date_begin, date_end', 'k.id')}) p
        cross join lateral (
          select * from stored_record where org_id = $1 and report_id = k.id order by org_id, report_id,
            position offset 0) r`;

/** The sums in every rollup of sources, and by class. A source as a whole has no sum of what is proved. */
const CLASSES = 'forwarded, suspicious, needs_review';
const SUMS = `messages, compliant, spf_pass, dkim_pass, ${CLASSES}`;

/** Adds these columns of the inserted row to those of the row that it meets. */
const added = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `${column} = t.${column} + excluded.${column}`)
    .join(', ');

/** The totals of these columns, under their names. */
const summed = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `sum(${column})::bigint as ${column}`)
    .join(', ');

/** The snapshots of the last days before today are not final yet. (rules, scores/snapshots) */
const OPEN_DAYS = 3;
/** After a change of past days, snapshots wait this long for further changes. */
const SETTLE_SECONDS = 60;
const ALSO_IMPORTED = `case when excluded.imported_from is not null or t.imported_at > ledger_now() - interval '1 hour'
        then (select final from marks) end`;
/**
 * The changed day, if it is over at this moment. Evaluated once the row is locked: computing a day waits for the
 * holders of the row, so either that transaction or this one sees the change.
 */
const CHANGED_PAST = `case when excluded.snapshot_from < ((ledger_now() + (clock_timestamp() - now()))
  at time zone 'utc')::date
        then excluded.snapshot_from end`;

/**
 * Adds a report's part to the lowest level, from the records just stored: (source, day, domain). (rules,
 * counts/counters)
 */
export const addToSourceDomainDay: Statement = {
  name: 'add-to-source-domain-day',
  inKeyOrder: true,
  text: `
    insert into source_domain_day as t (org_id, source_ip, day, domain_id, reports, ${SUMS}, proved, first_seen,
      last_seen)
    select $1, r.source_ip, r.day, r.domain_id, ${MESSAGE_SUMS}, ${CLASS_SUMS},
      ${SEEN}
    from ${STORED_RECORDS}
    group by r.source_ip, r.day, r.domain_id
    order by r.source_ip, r.day, r.domain_id
    on conflict (org_id, source_ip, day, domain_id) do update set ${added(`reports, ${SUMS}, proved`)},
      first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen)`,
};

/**
 * Adds to (source, domain) and (source). A row with no more reports than were added to it is new: a new source for a
 * domain, a new domain for a source. (`xmax` would show it too, but not for a partitioned table.) Returns per domain,
 * and with domain null for the organization, how many sources are new and how many have their first message without
 * aligned SPF or DKIM.
 */
export const addToSources: Statement = {
  name: 'add-to-sources',
  inKeyOrder: true,
  text: `
    with facts as (
      select r.source_ip, r.domain_id, ${MESSAGE_SUMS}, ${CLASS_SUMS},
        ${SEEN}, max(r.day) as last_day,
        max(p.date_end) filter (where r.source_text is not null) as text_seen, max(r.source_text) as source_text
      from ${STORED_RECORDS}
      group by r.source_ip, r.domain_id
    ), pairs as (
      insert into source_domain as t (org_id, source_ip, domain_id, reports, ${SUMS}, proved, first_seen, last_seen,
        indexed)
      select $1, source_ip, domain_id, reports, ${SUMS}, proved, first_seen, last_seen, ${ARE_INDEXED}
      from facts order by source_ip, domain_id
      on conflict (org_id, source_ip, domain_id) do update set ${added(`reports, ${SUMS}, proved`)},
        first_seen = least(t.first_seen, excluded.first_seen), last_seen = greatest(t.last_seen, excluded.last_seen)
      returning source_ip, domain_id, reports as held, ${authFailures()} as auth_failures
    ), news as (
      -- facts beside what became of their rows, put together by grouping: a join would be planned without figures
      select source_ip, domain_id, (sum(held) = sum(reports))::integer as fresh, ${summed(`reports, ${SUMS}`)},
        min(first_seen) as first_seen, max(last_seen) as last_seen, max(last_day) as last_day,
        max(text_seen) as text_seen, max(source_text) as source_text,
        sum(auth_failures) > 0 and sum(auth_failures) = sum(${authFailures()}) as failing
      from (
        select source_ip, domain_id, 0 as held, reports, ${SUMS}, first_seen, last_seen, last_day, text_seen,
          source_text, 0 as auth_failures from facts
        union all
        select source_ip, domain_id, held, 0, 0, 0, 0, 0, 0, 0, 0, null, null, null, null, null, auth_failures from pairs
      ) both_of group by source_ip, domain_id
    ), by_source as (
      select source_ip, sum(fresh) as domains, ${summed(`reports, ${SUMS}`)},
        min(first_seen) as first_seen, max(last_seen) as last_seen, max(last_day) as last_day,
        case when max(text_seen) = max(last_seen) then max(source_text) end as source_text
      from news group by source_ip
    ), totals as (
      insert into source_total as t (org_id, source_ip, source_text, domains, reports, ${SUMS}, auth_failures,
        compliance, first_seen, last_seen, last_day, indexed)
      select $1, source_ip, source_text, domains, reports, ${SUMS}, ${authFailures()},
        compliance_of(compliant, messages), first_seen, last_seen, last_day, ${ARE_INDEXED}
      from by_source order by source_ip
      on conflict (org_id, source_ip) do update set
        source_text = newer_text(t.last_seen, t.source_text, excluded.last_seen, excluded.source_text),
        ${added(`domains, reports, ${SUMS}, auth_failures`)},
        compliance = compliance_of(t.compliant + excluded.compliant, t.messages + excluded.messages),
        first_seen = least(t.first_seen, excluded.first_seen),
          last_seen = greatest(t.last_seen, excluded.last_seen), last_day = greatest(t.last_day, excluded.last_day)
      returning source_ip, reports as held, auth_failures
    ), by_address as (
      select source_ip, sum(held) = sum(reports) as fresh,
        sum(auth_failures) > 0 and sum(auth_failures) = sum(added) as failing
      from (
        select source_ip, 0 as held, reports, 0 as auth_failures, ${authFailures()} as added from by_source
        union all
        select source_ip, held, 0, auth_failures, 0 from totals
      ) both_of group by source_ip
    ), addresses as (
      insert into source_address (org_id, source_ip) select $1, source_ip from by_address where fresh order by source_ip
      on conflict do nothing
    )
    select domain_id, sum(fresh)::bigint as sources, count(*) filter (where failing) as failing_sources from news
      group by domain_id
    union all
    select null, count(*) filter (where fresh), count(*) filter (where failing) from by_address`,
};

/**
 * Adds (sign 1) or subtracts (-1) what the reports themselves count: days, totals and the counts for exact totals of
 * lists. Past days that change are marked for recomputing their snapshots, unless these are final when the reports
 * arrive. A new report ($5) of a day with a final snapshot is part of an import if its domain had none as old; any such
 * report is while an import brought others within the hour, or brings them with it. Subtracting leaves final snapshots
 * unchanged: they show what was known then. A domain with its first report is counted, and returned: see
 * `monitorReported`.
 */
export const addToDaysAndTotals: Statement = {
  name: 'add-to-days-and-totals',
  text: `
    with r as (
      select domain_id, reporter_id, day, end_day, begin_day, result, $4::bigint as reports, $4 * messages as messages,
        $4 * compliant as compliant, $4 * spf_pass as spf_pass, $4 * dkim_pass as dkim_pass,
          greatest($4, 0) * records as stored
      from unnest($2::uuid[]) as k (id)
        cross join lateral (${reportWithId('*', 'k.id')}) stored
    ), counted as (
      insert into report_count_day as t (org_id, domain_id, end_day, begin_day, result, reports)
      select $1, domain_id, end_day, begin_day, result, sum(reports) from r group by 2, 3, 4, 5 order by 2, 3, 4, 5
      on conflict (org_id, domain_id, end_day, begin_day, result) do update set reports = t.reports + excluded.reports
    ), counted_all as (
      insert into org_report_count_day as t (org_id, end_day, begin_day, result, reports)
      select $1, end_day, begin_day, result, sum(reports) from r group by 2, 3, 4 order by 2, 3, 4
      on conflict (org_id, end_day, begin_day, result) do update set reports = t.reports + excluded.reports
    ), counted_reporters as (
      insert into report_count_reporter as t (org_id, reporter_id, domain_id, result, reports)
      select $1, reporter_id, domain_id, result, sum(reports) from r group by 2, 3, 4 order by 2, 3, 4
      on conflict (org_id, reporter_id, domain_id, result) do update set reports = t.reports + excluded.reports
    ), domain_days as (
      insert into domain_day as t (org_id, domain_id, day, reports, messages, compliant, spf_pass, dkim_pass)
      select $1, domain_id, day, sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass)
      from r group by 2, 3 order by 2, 3
      on conflict (org_id, domain_id, day) do update set reports = t.reports + excluded.reports,
        messages = t.messages + excluded.messages, compliant = t.compliant + excluded.compliant,
        spf_pass = t.spf_pass + excluded.spf_pass, dkim_pass = t.dkim_pass + excluded.dkim_pass,
        revision = gen_random_uuid()
    ), org_days as (
      insert into org_day as t (org_id, day, reports, messages, compliant, spf_pass, dkim_pass)
      select $1, day, sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass) from r group by 2
        order by 2
      on conflict (org_id, day) do update set reports = t.reports + excluded.reports,
        messages = t.messages + excluded.messages, compliant = t.compliant + excluded.compliant,
        spf_pass = t.spf_pass + excluded.spf_pass, dkim_pass = t.dkim_pass + excluded.dkim_pass
    ), domain_totals as (
      insert into domain_total as t (org_id, domain_id, reports, messages, compliant, spf_pass, dkim_pass, sources,
        failing_sources)
      select $1, domain_id, sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass),
        coalesce(max(n.sources), 0), coalesce(max(n.failing_sources), 0)
      from r left join json_to_recordset($3::json) as n (domain_id uuid, sources bigint, failing_sources bigint)
        using (domain_id)
      group by 2 order by 2
      on conflict (org_id, domain_id) do update set reports = t.reports + excluded.reports,
        messages = t.messages + excluded.messages, compliant = t.compliant + excluded.compliant,
        spf_pass = t.spf_pass + excluded.spf_pass, dkim_pass = t.dkim_pass + excluded.dkim_pass,
        sources = t.sources + excluded.sources, failing_sources = t.failing_sources + excluded.failing_sources
      returning domain_id, reports
    ), turned as (
      select d.domain_id, case when d.reports = a.reports then 1 else -1 end as domains
      from domain_totals d join (select domain_id, sum(reports) as reports from r group by 1) a using (domain_id)
      where a.reports > 0 and d.reports = a.reports or a.reports < 0 and d.reports = 0
    ), clock as (
      select (ledger_now() at time zone 'utc')::date as today
    ), marks as (
      select min(greatest(day, today - ${OPEN_DAYS})) as changed,
        min(day) filter (where day < today - ${OPEN_DAYS}) as final,
        min(day) filter (where $5::boolean and day < today - ${OPEN_DAYS} and not exists (
          select from domain_day x where x.org_id = $1 and x.domain_id = r.domain_id and x.day <= r.day
            and x.reports > 0)) as imported
      from r, clock where day <= today and ($4 > 0 or day >= today - ${OPEN_DAYS})
    )
    insert into org_total as t (org_id, reports, messages, compliant, spf_pass, dkim_pass, domains, sources,
      failing_sources,
      snapshot_from, imported_from, imported_at, snapshot_marks, snapshots_due_at, records_on, records_stored)
    select $1, sum(reports), sum(messages), sum(compliant), sum(spf_pass), sum(dkim_pass),
      (select coalesce(sum(domains), 0) from turned),
      (select coalesce(sum(sources), 0) from json_to_recordset($3::json) as n (domain_id uuid, sources bigint)
        where domain_id is null),
      (select coalesce(sum(failing_sources), 0)
        from json_to_recordset($3::json) as n (domain_id uuid, failing_sources bigint)
        where domain_id is null),
      (select changed from marks), (select imported from marks),
        (select case when imported is not null then ledger_now() end from marks),
      (select case when changed is null then 0 else 1 end from marks),
        ledger_now() + interval '${SETTLE_SECONDS} seconds',
      (select today from clock), sum(stored)
    from r having count(*) > 0
    on conflict (org_id) do update set reports = t.reports + excluded.reports,
      messages = t.messages + excluded.messages, compliant = t.compliant + excluded.compliant,
      spf_pass = t.spf_pass + excluded.spf_pass, dkim_pass = t.dkim_pass + excluded.dkim_pass,
      domains = t.domains + excluded.domains, sources = t.sources + excluded.sources,
      failing_sources = t.failing_sources + excluded.failing_sources, changes = t.changes + 1,
      snapshot_from = least(t.snapshot_from, ${CHANGED_PAST}),
      imported_from = least(t.imported_from, excluded.imported_from, ${ALSO_IMPORTED}),
      imported_at = case when coalesce(excluded.imported_from, ${ALSO_IMPORTED}) is null then t.imported_at
        else ledger_now() end,
      snapshot_marks = t.snapshot_marks + case when ${CHANGED_PAST} is null then 0 else 1 end,
      snapshots_due_at = case when ${CHANGED_PAST} is null then t.snapshots_due_at
        else least(t.snapshots_due_at, excluded.snapshots_due_at) end,
      records_on = excluded.records_on,
      records_stored = excluded.records_stored + case when t.records_on = excluded.records_on then t.records_stored
        else 0 end
    returning (select array_agg(domain_id) from turned where domains > 0) as begun`,
};

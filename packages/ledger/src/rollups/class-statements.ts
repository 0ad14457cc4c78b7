import type { Statement } from '@dmarc-ledger/schema';

const DELTAS =
  `json_to_recordset($2::json) as d (source_ip inet, day date, domain_id uuid, forwarded bigint, ` +
  `suspicious bigint, needs_review bigint, proved bigint)`;

/**
 * Updates every rollup by a change of class, in the order in which storing locks them: sources, totals (`noteChange`),
 * days. The rows exist.
 */
export const addToSourceDomainDayClasses: Statement = {
  name: 'add-to-source-domain-day-classes',
  text: `
    insert into source_domain_day as t (org_id, source_ip, day, domain_id, reports, messages, compliant, spf_pass,
      dkim_pass, forwarded, suspicious, needs_review, proved)
    select $1, source_ip, day, domain_id, 0, 0, 0, 0, 0, forwarded, suspicious, needs_review, proved from ${DELTAS}
    order by source_ip, day, domain_id
    on conflict (org_id, source_ip, day, domain_id) do update set forwarded = t.forwarded + excluded.forwarded,
      proved = t.proved + excluded.proved, suspicious = t.suspicious + excluded.suspicious,
        needs_review = t.needs_review + excluded.needs_review`,
};

export const addToSourceDomainClasses: Statement = {
  name: 'add-to-source-domain-classes',
  text: `
    insert into source_domain as t (org_id, source_ip, domain_id, reports, messages, compliant, spf_pass, dkim_pass,
      forwarded, suspicious, needs_review, proved)
    select $1, source_ip, domain_id, 0, 0, 0, 0, 0, sum(forwarded), sum(suspicious), sum(needs_review), sum(proved)
      from ${DELTAS}
    group by source_ip, domain_id order by source_ip, domain_id
    on conflict (org_id, source_ip, domain_id) do update set forwarded = t.forwarded + excluded.forwarded,
      proved = t.proved + excluded.proved, suspicious = t.suspicious + excluded.suspicious,
        needs_review = t.needs_review + excluded.needs_review`,
};

export const addToSourceTotalClasses: Statement = {
  name: 'add-to-source-total-classes',
  text: `
    insert into source_total as t (org_id, source_ip, domains, reports, messages, compliant, spf_pass, dkim_pass,
      auth_failures, compliance, forwarded, suspicious, needs_review)
    select $1, source_ip, 0, 0, 0, 0, 0, 0, 0, 0, sum(forwarded), sum(suspicious), sum(needs_review) from ${DELTAS}
    group by source_ip order by source_ip
    on conflict (org_id, source_ip) do update set forwarded = t.forwarded + excluded.forwarded,
      suspicious = t.suspicious + excluded.suspicious, needs_review = t.needs_review + excluded.needs_review`,
};

export const addToDayClasses: Statement = {
  name: 'add-to-day-classes',
  text: `
    with d as (select * from ${DELTAS} where forwarded <> 0 or proved <> 0),
    domain_days as (
      insert into domain_day as t (org_id, domain_id, day, reports, messages, compliant, spf_pass, dkim_pass,
        forwarded, proved)
      select $1, domain_id, day, 0, 0, 0, 0, 0, sum(forwarded), sum(proved) from d group by 2, 3 order by 2, 3
      on conflict (org_id, domain_id, day) do update set forwarded = t.forwarded + excluded.forwarded,
        proved = t.proved + excluded.proved
    ), org_days as (
      insert into org_day as t (org_id, day, reports, messages, compliant, spf_pass, dkim_pass, forwarded)
      select $1, day, 0, 0, 0, 0, 0, sum(forwarded) from d group by 2 order by 2
      on conflict (org_id, day) do update set forwarded = t.forwarded + excluded.forwarded
    )
    select 1`,
};

/** Marks the overview as changed. Only days are locked after it. */
export const noteChange: Statement = {
  name: 'note-change',
  text: 'update org_total set changes = changes + 1 where org_id = $1',
};

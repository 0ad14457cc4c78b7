import type { Statement } from '@dmarc-ledger/schema';
import { isOnly } from '../keys/by-key.ts';
import { ARE_INDEXED } from './index-sources.ts';
import { authFailures, CLASS_SUMS, MESSAGE_SUMS, SEEN } from './record-sums.ts';

// A key is recomputed in three steps: ensure that its row exists, lock it, and sum up the level below in a later
// statement. A concurrent transaction that adds to the level below and has not reached this row yet adds its part after
// us; one that reached it before has committed, and the later statement sees what it wrote.

const KEYS = `json_to_recordset($2::json) as k (source_ip inet, day date, domain_id uuid)`;

/** Takes marked keys, each once, however often it is marked. Uncommitted marks stay. */
export const takeDirtyKeys: Statement = {
  name: 'take-dirty-keys',
  text: `
    with picked as (
      select source_ip, day, domain_id, id from rollup_dirty where org_id = $1
      order by source_ip, day, domain_id, id limit $2 for update skip locked
    ), taken as (
      delete from rollup_dirty d using picked p
      where d.org_id = $1 and d.source_ip = p.source_ip and d.day = p.day and d.domain_id = p.domain_id and d.id = p.id
      returning d.source_ip, d.day, d.domain_id
    )
    select distinct source_ip, day, domain_id from taken order by source_ip, day, domain_id`,
};

export const holdSourceDomainDays: Statement = {
  name: 'hold-source-domain-days',
  text: `
    insert into source_domain_day (org_id, source_ip, day, domain_id, reports, messages, compliant, spf_pass, dkim_pass)
    select $1, source_ip, day, domain_id, 0, 0, 0, 0, 0 from ${KEYS} order by source_ip, day, domain_id
    on conflict (org_id, source_ip, day, domain_id) do update set reports = source_domain_day.reports`,
};

export const sumSourceDomainDays: Statement = {
  name: 'sum-source-domain-days',
  text: `
    update source_domain_day t set reports = s.reports, messages = s.messages, compliant = s.compliant,
      spf_pass = s.spf_pass,
      dkim_pass = s.dkim_pass, forwarded = s.forwarded, suspicious = s.suspicious, needs_review = s.needs_review,
      proved = s.proved, first_seen = s.first_seen, last_seen = s.last_seen
    from (
      select k.source_ip, k.day, k.domain_id, ${MESSAGE_SUMS},
        ${CLASS_SUMS},
        ${SEEN}
      from ${KEYS}
        left join stored_record r on r.org_id = $1 and r.source_ip = k.source_ip and r.day = k.day
          and r.domain_id = k.domain_id
        left join report p on p.org_id = $1 and p.id = r.report_id
      group by k.source_ip, k.day, k.domain_id
    ) s
    where t.org_id = $1 and t.source_ip = s.source_ip and t.day = s.day and t.domain_id = s.domain_id`,
};

export const dropEmptySourceDomainDays: Statement = {
  name: 'drop-empty-source-domain-days',
  text: `
    delete from source_domain_day t using ${KEYS}
    where t.org_id = $1 and t.source_ip = k.source_ip and t.day = k.day and t.domain_id = k.domain_id
      and t.reports = 0`,
};

export const holdSourceDomains: Statement = {
  name: 'hold-source-domains',
  text: `
    insert into source_domain (org_id, source_ip, domain_id, reports, messages, compliant, spf_pass, dkim_pass)
    select distinct $1::uuid, source_ip, domain_id, 0, 0, 0, 0, 0 from ${KEYS} order by source_ip, domain_id
    on conflict (org_id, source_ip, domain_id) do update set reports = source_domain.reports`,
};

const SUMS = `coalesce(sum(b.reports), 0) as reports, coalesce(sum(b.messages), 0)::bigint as messages,
        coalesce(sum(b.compliant), 0)::bigint as compliant, coalesce(sum(b.spf_pass), 0)::bigint as spf_pass,
        coalesce(sum(b.dkim_pass), 0)::bigint as dkim_pass, coalesce(sum(b.forwarded), 0) as forwarded,
        coalesce(sum(b.suspicious), 0) as suspicious, coalesce(sum(b.needs_review), 0) as needs_review,
        coalesce(sum(b.proved), 0) as proved, min(b.first_seen) as first_seen, max(b.last_seen) as last_seen`;

export const sumSourceDomains: Statement = {
  name: 'sum-source-domains',
  text: `
    update source_domain t set reports = s.reports, messages = s.messages, compliant = s.compliant,
      spf_pass = s.spf_pass,
      dkim_pass = s.dkim_pass, forwarded = s.forwarded, suspicious = s.suspicious, needs_review = s.needs_review,
      proved = s.proved, first_seen = s.first_seen, last_seen = s.last_seen, indexed = t.indexed or ${ARE_INDEXED}
    from (
      select k.source_ip, k.domain_id, ${SUMS}
      from (select distinct source_ip, domain_id from ${KEYS}) k
        left join source_domain_day b on b.org_id = $1 and b.source_ip = k.source_ip and b.domain_id = k.domain_id
      group by k.source_ip, k.domain_id
    ) s
    where t.org_id = $1 and t.source_ip = s.source_ip and t.domain_id = s.domain_id`,
};

export const dropEmptySourceDomains: Statement = {
  name: 'drop-empty-source-domains',
  text: `
    delete from source_domain t using ${KEYS}
    where t.org_id = $1 and t.source_ip = k.source_ip and t.domain_id = k.domain_id and t.reports = 0`,
};

export const holdSourceTotals: Statement = {
  name: 'hold-source-totals',
  text: `
    with addresses as (
      insert into source_address (org_id, source_ip) select distinct $1::uuid, source_ip from ${KEYS} order by source_ip
      on conflict do nothing
    )
    insert into source_total (org_id, source_ip, domains, reports, messages, compliant, spf_pass, dkim_pass,
      auth_failures, compliance)
    select distinct $1::uuid, source_ip, 0, 0, 0, 0, 0, 0, 0, 0 from ${KEYS} order by source_ip
    on conflict (org_id, source_ip) do update set reports = source_total.reports`,
};

/** Uses the spelling of the newest report, whose day is the last day of the address. */
export const sumSourceTotals: Statement = {
  name: 'sum-source-totals',
  text: `
    update source_total t set domains = s.domains, reports = s.reports, messages = s.messages, compliant = s.compliant,
      spf_pass = s.spf_pass, dkim_pass = s.dkim_pass, auth_failures = ${authFailures('s')},
      compliance = compliance_of(s.compliant, s.messages), forwarded = s.forwarded, suspicious = s.suspicious,
      needs_review = s.needs_review, first_seen = s.first_seen, last_seen = s.last_seen, last_day = s.last_day,
      source_text = x.source_text, indexed = t.indexed or ${ARE_INDEXED}
    from (
      select k.source_ip, count(b.domain_id) as domains, ${SUMS},
        (select max(day) from source_domain_day d where d.org_id = $1 and d.source_ip = k.source_ip) as last_day
      from (select distinct source_ip from ${KEYS}) k
        left join source_domain b on b.org_id = $1 and b.source_ip = k.source_ip
      group by k.source_ip
    ) s left join lateral (
      select max(r.source_text) as source_text
      from report p join stored_record r on r.org_id = $1 and r.report_id = p.id and r.source_ip = s.source_ip
      where p.org_id = $1 and p.date_end = s.last_seen
        and p.id in (select report_id from stored_record where org_id = $1 and source_ip = s.source_ip
          and source_text is not null)
    ) x on true
    where t.org_id = $1 and t.source_ip = s.source_ip`,
};

/**
 * Deletes the sums of addresses that no report mentions any longer, with all that is stored about them. One that waits
 * for another repair stays: a copy may just have brought it, whose mail is judged by what is stored.
 */
export const forgetSources: Statement = {
  name: 'forget-sources',
  text: `
    with gone as (
      delete from source_total t using (select distinct source_ip from ${KEYS}) k
      where t.org_id = $1 and t.source_ip = k.source_ip and t.reports = 0
        and (select true from rollup_dirty d where d.org_id = $1 and ${isOnly('d.source_ip', 't.source_ip')}
          order by d.source_ip limit 1) is null
      returning t.source_ip
    ), standings as (
      delete from source_standing s using gone g where s.org_id = $1 and s.source_ip = g.source_ip
      returning s.abuse_status
    ), counts as (
      update source_standing_count c set sources = c.sources - g.sources
      from (select abuse_status, count(*) as sources from standings group by abuse_status) g
      where c.org_id = $1 and c.abuse_status = g.abuse_status
    ), addresses as (
      delete from source_address a using gone g where a.org_id = $1 and a.source_ip = g.source_ip
    ), free as (
      select u.source_ip from unjudged_source u join gone g using (source_ip) where u.org_id = $1
      order by u.source_ip for update of u skip locked -- the job that judges one has it locked, and deletes it
    ), unjudged as (
      delete from unjudged_source u using free f where u.org_id = $1 and u.source_ip = f.source_ip
    )
    delete from ip_interest i using gone g where i.address = g.source_ip and i.org_id = $1`,
};

export const holdTotals: Statement = {
  name: 'hold-totals',
  text: `
    with domains as (
      select 1 from domain_total where org_id = $1 and domain_id = any($2::uuid[]) order by domain_id for update
    ), org as (select 1 from org_total where org_id = $1 for update)
    select (select count(*) from domains) + (select count(*) from org) as held`,
};

export const countSources: Statement = {
  name: 'count-sources',
  text: `
    with domains as (
      update domain_total t set sources = s.sources, failing_sources = s.failing
      from (
        select d.domain_id, count(b.source_ip) as sources,
          count(b.source_ip) filter (where ${authFailures('b')} > 0) as failing
        from unnest($2::uuid[]) as d (domain_id)
          left join source_domain b on b.org_id = $1 and b.domain_id = d.domain_id and b.reports > 0
        group by d.domain_id
      ) s where t.org_id = $1 and t.domain_id = s.domain_id
    )
    update org_total t set sources = s.sources, failing_sources = s.failing, changes = changes + 1
    from (select count(*) as sources, count(*) filter (where auth_failures > 0) as failing from source_total
      where org_id = $1 and reports > 0) s
    where t.org_id = $1`,
};

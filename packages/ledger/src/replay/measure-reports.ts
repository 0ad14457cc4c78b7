import type { RecordClass } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** Hashes of a report's content, to compare two states of it, and its figures. */
export interface MeasuredReport {
  id: string;
  /** The hash of all that was read: header, warnings, records. */
  facts: string;
  /** The hash of all that was judged. */
  judgement: string;
  rows: number;
  messages: number;
  /** Messages by class. */
  classes: Partial<Record<RecordClass, number>>;
}

/** Sums of hashes do not depend on the order of records, and need little memory. */
export async function measureReports(db: Db, orgId: string, ids: readonly string[]): Promise<MeasuredReport[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MeasuredReport>`
    select r.id, r.records as rows, r.messages,
      md5(concat_ws('|', r.metadata, r.policy, r.reporter_name, r.reporter_id, r.records, r.messages, r.compliant,
        r.spf_pass, r.dkim_pass, r.compliance, r.result, w.codes, x.facts)) as facts,
      coalesce(x.judgement::text, '') || coalesce(w.judged, '') as judgement,
      json_strip_nulls(json_build_object('authenticated', x.authenticated, 'likely_forwarded', x.likely_forwarded,
        'suspicious', x.suspicious, 'needs_review', x.needs_review)) as classes
    from report r
      left join lateral (
        select string_agg(concat_ws(':', code, detail), ',' order by code) filter (where position < 1000
          or position >= 1900) as codes,
          string_agg(concat_ws(':', code, detail), ',' order by code) filter (where position >= 1000
            and position < 1900) as judged
        from parse_warning where org_id = r.org_id and report_id = r.id) w on true
      left join lateral (
        select sum(hashtextextended(concat_ws('|', source_ip, source_text, messages, disposition, dkim_pass, spf_pass,
            header_from, coalesce(envelope_from, '-'), coalesce(envelope_to, '-'), reasons,
            jsonb_strip_nulls(dkim_results), jsonb_strip_nulls(spf_results)), 0)::numeric)
            as facts,
          sum(hashtextextended(concat_ws('|', source_ip, dkim_aligned, spf_aligned, class, proved, messages),
            0)::numeric) as judgement,
          sum(messages) filter (where class = 'authenticated') as authenticated,
          sum(messages) filter (where class = 'likely_forwarded') as likely_forwarded,
          sum(messages) filter (where class = 'suspicious') as suspicious,
          sum(messages) filter (where class = 'needs_review') as needs_review
        from report_record where org_id = r.org_id and report_id = r.id) x on true
    where r.org_id = ${orgId} and r.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Counts the unfinished work on these reports. */
export async function countUnsettled(db: Db, orgId: string, reportIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from unjudged_report where org_id = ${orgId} and report_id = any(${reportIds}::uuid[]))
      + (select count(*) from report_revision where org_id = ${orgId} and report_id = any(${reportIds}::uuid[])
        and not settled)
      as count`.execute(db);
  return rows[0]!.count;
}

/**
 * Counts an organization's unfinished work from before that id was made; ids are ordered by time. What is held until
 * the next day is not waited for.
 */
export async function countUndoneBefore(db: Db, orgId: string, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from raw_message where org_id = ${orgId} and state in ('received', 'processing')
      and held_until is null and id < ${id})
      + (select count(*) from unjudged_report where org_id = ${orgId} and report_id < ${id})
      + (select count(*) from report_revision where org_id = ${orgId} and report_id < ${id} and not settled)
      + (select count(*) from unjudged_signature where org_id = ${orgId})
      + (select count(*) from rollup_dirty where org_id = ${orgId}) as count`.execute(db);
  return rows[0]!.count;
}

import type { Statement } from '@dmarc-ledger/schema';
import { UNAUTHENTICATED } from '../intake/unauthenticated-codes.ts';
import { HAS_BYTES } from './improve-statements.ts';

/** The code of a report of which different copies were received. */
export const CONFLICT = 'duplicate_report_id_conflict';

/** Reports in one announcement. */
export const ANNOUNCED_AT_ONCE = 100;

/**
 * Inserts new reports only: a report whose identity exists is not returned, and nothing of it is counted. Each new
 * report is inserted with its first copy and its warnings, and its judgement is announced, a hundred reports at a time.
 */
export const insertReports: Statement = {
  name: 'insert-reports',
  text: `
    with fresh as (
      insert into report select * from json_populate_recordset(null::report, $2::json)
      on conflict (org_id, identity) do nothing returning id
    ), revisions as (
      insert into report_revision
      select v.* from json_populate_recordset(null::report_revision, $3::json) v join fresh on fresh.id = v.report_id
    ), warnings as (
      insert into parse_warning
      select w.* from json_populate_recordset(null::parse_warning, $4::json) w join fresh on fresh.id = w.report_id
      on conflict do nothing
    ), waiting as (
      insert into unjudged_report (org_id, report_id, step) select $1, id, 'align' from fresh
    ), announced as (
      insert into outbox (id, org_id, job, payload)
      select ($5::uuid[])[chunk + 1], $1, 'alignReports',
        jsonb_build_object('orgId', $1::uuid, 'reportIds', jsonb_agg(id))
      from (select id, (row_number() over () - 1) / ${ANNOUNCED_AT_ONCE} as chunk from fresh) chunks group by chunk
    )
    select id from fresh`,
};

export const findTotal: Statement = {
  name: 'find-total',
  text: `
    select messages, 2 * messages::numeric - spf_pass - dkim_pass as failures from org_total where org_id = $1`,
};

/** Replaces the counted copy: identity, day and first receipt stay. */
export const replaceReport: Statement = {
  name: 'replace-report',
  text: `
    update report t set reporter_id = s.reporter_id, reporter_name = s.reporter_name, report_id = s.report_id,
      records = s.records,
      messages = s.messages,
      compliant = s.compliant, spf_pass = s.spf_pass, dkim_pass = s.dkim_pass, compliance = s.compliance,
        result = s.result,
      spf_only = s.spf_only, dkim_only = s.dkim_only, both_failed = s.both_failed, policy_p = s.policy_p,
      metadata = s.metadata, policy = s.policy, payload_sha256 = s.payload_sha256, version = t.version + 1,
      unauthenticated = s.unauthenticated, unproven = s.unproven
    from json_populate_record(null::report, $2::json) s
    where t.org_id = $1 and t.id = s.id`,
};

/** Locks identities before the copies of reports are read, so that concurrent changes are seen. */
export const holdIdentities: Statement = {
  name: 'hold-identities',
  text: `select id from report where org_id = $1 and identity = any($2::bytea[]) order by id for no key update`,
};

export const findCopies: Statement = {
  name: 'find-copies',
  text: `
    select r.id, r.identity, r.payload_sha256 as counted, v.payload_sha256, v.message_id, v.authenticated,
      v.mail_received_at, v.unproven, ${HAS_BYTES} as has_bytes
    from report r
      left join report_revision v on v.org_id = r.org_id and v.report_id = r.id and v.payload_sha256 = any($3::bytea[])
    where r.org_id = $1 and r.identity = any($2::bytea[])`,
};

export const insertRevisions: Statement = {
  name: 'insert-revisions',
  text: `
    insert into report_revision select * from json_populate_recordset(null::report_revision, $1::json)
    on conflict do nothing returning report_id, settled`,
};

/**
 * For a report whose copies were compared: returns the copies that are unchanged since they were read, and the
 * resulting warnings.
 */
export const settleRevisions: Statement = {
  name: 'settle-revisions',
  text: `
    with stale as (
      delete from parse_warning p where org_id = $1 and report_id = $2 and code in ('${UNAUTHENTICATED}', '${CONFLICT}')
        and not exists (select from json_array_elements($4::json) w where w ->> 'code' = p.code)
    ), warnings as (
      insert into parse_warning select * from json_populate_recordset(null::parse_warning, $4::json)
      on conflict (org_id, report_id, code) do update set detail = excluded.detail
    ), marked as (
      update report set unauthenticated = $5::boolean, unproven = $6::boolean
      where org_id = $1 and id = $2
        and (coalesce(unauthenticated, false), coalesce(unproven, false)) <> ($5::boolean, $6::boolean)
    )
    update report_revision v set settled = true
    from json_to_recordset($3::json) as r (payload bytea, authenticated boolean, mail_received_at timestamptz,
      unproven boolean)
    where v.org_id = $1 and v.report_id = $2 and v.payload_sha256 = r.payload
      and coalesce(v.unproven, false) = r.unproven
      and (v.authenticated, v.mail_received_at) is not distinct from (r.authenticated, r.mail_received_at)`,
};

export const insertWarnings: Statement = {
  name: 'insert-warnings',
  text: `
    insert into parse_warning select * from json_populate_recordset(null::parse_warning, $1::json)
      on conflict do nothing`,
};

export const awaitJudgement: Statement = {
  name: 'await-judgement',
  text: `
    insert into unjudged_report (org_id, report_id, step) select $1, id, 'align' from unnest($2::uuid[]) as id`,
};

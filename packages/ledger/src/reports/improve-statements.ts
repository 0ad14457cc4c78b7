import type { Statement } from '@dmarc-ledger/schema';
import { UNAUTHENTICATED } from '../intake/unauthenticated-codes.ts';
import { reportWithId } from '../keys/by-key.ts';

/** The position of warnings about a report's mail: after those of reading and judging it. */
export const MAIL_WARNING_AT = 1_900;

/** Passed, where any mail did; unknown, where any mail was not checked. */
const BEST =
  'case when bool_or(authenticated) then true when not bool_and(authenticated is not null) then null else false end';

/** A mail that did not fail as the reporter's: only then a copy without bytes becomes that of its delivery. */
const IS_BELIEVED = 'authenticated is distinct from false';

/** Whether the bytes of the delivery of `v`, a row of `report_revision`, are kept. */
export const HAS_BYTES = `exists (select from raw_message b
        where b.org_id = v.org_id and b.id = v.message_id and b.bytes_purged_at is null)`;

export const holdReports: Statement = {
  name: 'hold-reports',
  text: `
    select r.id from (select distinct id from unnest($2::uuid[]) as id order by id offset 0) k
      cross join lateral (${reportWithId('id', 'k.id')} for no key update) r`,
};

/**
 * An archive may have thousands of parts: they are expanded once and joined by their hash, before copies are looked up
 * by their keys, whatever number of them is expected.
 */
export const findHeldContents: Statement = {
  name: 'find-held-contents',
  text: `
    with content as materialized (
      select sha256, encode(sha256, 'hex') as hex, message_id from payload
      where org_id = $1 and sha256 = any($2::bytea[])
    ), part as materialized (
      select m.id as message_id, part.sha256 as hex, part.reports
      from raw_message m cross join lateral jsonb_to_recordset(m.parts) as part (sha256 text, reports jsonb)
      where m.org_id = $1 and m.id = any(array(select distinct message_id from content))
    ), named as materialized (
      select c.sha256, report.id
      from content c join part p on p.hex = c.hex and p.message_id = c.message_id
        cross join lateral jsonb_to_recordset(p.reports) as report (id uuid)
    )
    select v.report_id, v.payload_sha256, v.authenticated, v.mail_received_at, v.unproven, v.metadata, v.has_bytes
    from named n cross join lateral (
      select v.*, r.metadata, ${HAS_BYTES} as has_bytes
      from report_revision v join report r on r.org_id = v.org_id and r.id = v.report_id
      where v.org_id = $1 and v.report_id = n.id and v.payload_sha256 = n.sha256 offset 0) v`,
};

/**
 * Combines what is known of a copy with further mails: passed before unknown before failed, the earliest receipt.
 * A copy that only imports had brought has what this mail says from now on, and one whose bytes are deleted is where
 * this mail has brought it. Returns the reports whose choice is open
 * again, as another copy is stored or as this one was unproven, and those that events may rest on from now on.
 */
export const improveCopies: Statement = {
  name: 'improve-copies',
  text: `
    with told as (
      select report_id, payload, ${BEST} as authenticated, min(mail_received_at) as mail_received_at,
        (array_agg(message_id order by message_id) filter (where ${IS_BELIEVED}))[1] as message_id,
        (array_agg(document order by message_id) filter (where ${IS_BELIEVED}))[1] as document
      from json_to_recordset($2::json) as w (report_id uuid, payload bytea, authenticated boolean,
        mail_received_at timestamptz, message_id uuid, document text)
      group by report_id, payload
    ), better as (
      select v.report_id, v.payload_sha256, least(v.mail_received_at, t.mail_received_at) as mail_received_at,
        case when b.is_kept then v.message_id else coalesce(t.message_id, v.message_id) end as message_id,
        case when b.is_kept then v.document else coalesce(t.document, v.document) end as document,
        case when v.unproven then t.authenticated
          else (select ${BEST} from (values (v.authenticated), (t.authenticated)) as both_say (authenticated))
            end as authenticated,
        v.unproven is true or exists (
          select from report_revision o
          where o.org_id = $1 and o.report_id = v.report_id and o.payload_sha256 <> v.payload_sha256) as is_open
      from told t join report_revision v on v.org_id = $1 and v.report_id = t.report_id and v.payload_sha256 = t.payload
        cross join lateral (select ${HAS_BYTES} as is_kept offset 0) b
    ), changed as (
      update report_revision v set authenticated = b.authenticated, mail_received_at = b.mail_received_at,
        message_id = b.message_id, document = b.document, settled = v.settled and not b.is_open, unproven = false
      from better b
      where v.org_id = $1 and v.report_id = b.report_id and v.payload_sha256 = b.payload_sha256
        and (v.unproven or v.message_id <> b.message_id
          or (v.authenticated, v.mail_received_at) is distinct from (b.authenticated, b.mail_received_at))
      returning v.report_id, v.payload_sha256, v.authenticated, b.is_open
    ), counted as (
      select c.report_id, c.authenticated from changed c
        join report r on r.org_id = $1 and r.id = c.report_id and r.payload_sha256 = c.payload_sha256
    ), cleared as (
      delete from parse_warning w using counted c
      where w.org_id = $1 and w.report_id = c.report_id and w.code = '${UNAUTHENTICATED}'
        and c.authenticated is distinct from false
    ), marked as (
      update report r set unauthenticated = false from counted c
      where r.org_id = $1 and r.id = c.report_id and r.unauthenticated and c.authenticated is distinct from false
      returning r.id
    )
    select report_id, true as is_unsettled from changed where is_open
    union all select id, false from marked`,
};

/**
 * Rates copies by what is known of their mails by now, which is less than before. A report with one copy gets its mark;
 * with several, the choice is open again, which sets it.
 */
export const lowerCopies: Statement = {
  name: 'lower-copies',
  text: `
    with lowered as (
      select * from json_to_recordset($2::json) as l (report_id uuid, payload bytea, authenticated boolean)
    ), changed as (
      update report_revision v set authenticated = l.authenticated, settled = v.settled and not o.is_open
      from lowered l cross join lateral (
        select exists (
          select from report_revision o
          where o.org_id = $1 and o.report_id = l.report_id and o.payload_sha256 <> l.payload) as is_open offset 0) o
      where v.org_id = $1 and v.report_id = l.report_id and v.payload_sha256 = l.payload
      returning v.report_id, v.message_id, v.payload_sha256, v.authenticated, o.is_open
    ), shown as (
      select c.*, c.payload_sha256 = r.payload_sha256 as is_counted
      from changed c join report r on r.org_id = $1 and r.id = c.report_id
    ), failed as (
      select report_id from shown where authenticated is false and not is_open
    ), marked as (
      update report r set unauthenticated = true from failed f where r.org_id = $1 and r.id = f.report_id
    ), warned as (
      insert into parse_warning (org_id, report_id, position, code)
      select $1, report_id, ${MAIL_WARNING_AT}, '${UNAUTHENTICATED}' from failed on conflict do nothing
    )
    select report_id, payload_sha256, message_id, authenticated, is_open, is_counted from shown`,
};

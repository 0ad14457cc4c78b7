/**
 * Reports whose mark and warning differ from what the mails of their copies say, where the copies were compared. A copy
 * with the same content may have passed though the counted one did not. `$1` is the organization.
 */
export const WRONG_MARKS = `
  select r.id, s.is_failed as mark
  from report r
    cross join lateral (
      select bool_and(v.settled) as is_settled, bool_and(v.authenticated is not distinct from false) as is_failed,
        bool_or(v.payload_sha256 = r.payload_sha256 and v.authenticated is not distinct from false) as may_fail
      from report_revision v where v.org_id = r.org_id and v.report_id = r.id) s
    left join parse_warning w on w.org_id = r.org_id and w.report_id = r.id and w.code = 'report_mail_unauthenticated'
  where r.org_id = $1 and s.is_settled
    and (coalesce(r.unauthenticated, false) and not s.may_fail or s.is_failed and r.unauthenticated is not true
      or coalesce(r.unauthenticated, false) <> (w.report_id is not null))`;

/** Corrects the marks and warnings of those of the reports `$2` that `WRONG_MARKS` finds; they are locked. */
export const CORRECT_MARKS = `
  with wrong as (select * from (${WRONG_MARKS}) w where id = any($2::uuid[])),
  marked as (update report r set unauthenticated = w.mark from wrong w where r.org_id = $1 and r.id = w.id),
  cleared as (
    delete from parse_warning p using wrong w
    where p.org_id = $1 and p.report_id = w.id and p.code = 'report_mail_unauthenticated' and not w.mark)
  insert into parse_warning (org_id, report_id, position, code)
  select $1, id, 1900, 'report_mail_unauthenticated' from wrong where mark on conflict do nothing`;

import type { Statement } from '@dmarc-ledger/schema';
import { isOnly, reportWithId } from '../keys/by-key.ts';

/** A pass is evidence on its day and on so many days after it. (rules, classification/signatures-that-have-passed) */
export const EVIDENCE_DAYS = 90;

const KEYS = 'k (report_id uuid, domain_id uuid, signer text, selector text, day date, messages bigint, address inet)';
const SAME_DAY = 'p.domain_id = k.domain_id and p.signer = k.signer and p.selector = k.selector and p.day = k.day';
const SAME_SELECTOR = 'p.org_id = $1 and p.domain_id = k.domain_id and p.signer = k.signer and p.selector = k.selector';

/** One transaction for each domain, in the order of their ids. */
export const lockSignatures: Statement = {
  name: 'lock-signatures',
  text: `
    select pg_advisory_xact_lock(hashtextextended('signatures ' || domain_id, 0)) from (
      select distinct domain_id from unnest($2::uuid[]) as k (id) cross
        join lateral (${reportWithId('domain_id', 'k.id')}) r
      union select distinct domain_id from unnest($2::uuid[]) as k (id) cross join lateral (
        select domain_id from dkim_pass where org_id = $1 and report_id = k.id order by signer, selector offset 0) p
      order by domain_id) d`,
};

/**
 * Those of these days on which no report has the same pass: not yet, or not any more. Each is looked up: as a join, all
 * passes of the organization would be read.
 */
export const findUncoveredDays: Statement = {
  name: 'find-uncovered-days',
  text: `
    select distinct k.domain_id, k.signer, k.selector, k.day::text as day from json_to_recordset($2::json) as ${KEYS}
    where (select true from dkim_pass p where p.org_id = $1 and ${SAME_DAY} limit 1) is null`,
};

const firstOf = (table: 'dkim_pass' | 'dkim_failure') =>
  `(select report_id from ${table} where org_id = $1 and ${isOnly('report_id', 'k.id')} order by report_id limit 1)`;

/** Returns those of these reports of which signatures are recorded: a new report has none. */
export const findRecorded: Statement = {
  name: 'find-recorded',
  inKeyOrder: true,
  text: `
    select id from unnest($2::uuid[]) as k (id)
    where ${firstOf('dkim_pass')} is not null or ${firstOf('dkim_failure')} is not null`,
};

/** Deletes the passes of reports that are not among these. Returns the deleted ones. */
export const deletePasses: Statement = {
  name: 'delete-passes',
  text: `
    delete from dkim_pass p where p.org_id = $1 and p.report_id = any($2::uuid[]) and not exists (
      select from json_to_recordset($3::json) as ${KEYS} where p.report_id = k.report_id and ${SAME_DAY})
    returning p.domain_id, p.signer, p.selector, p.day::text as day`,
};

export const insertPasses: Statement = {
  name: 'insert-passes',
  text: `
    insert into dkim_pass (org_id, report_id, signer, selector, domain_id, day, messages)
    select $1, report_id, signer, selector, domain_id, day, messages from json_to_recordset($2::json) as ${KEYS}
    order by report_id, signer, selector
    on conflict (org_id, report_id, signer, selector) do update set messages = excluded.messages`,
};

export const deleteFailures: Statement = {
  name: 'delete-failures',
  text: 'delete from dkim_failure where org_id = $1 and report_id = any($2::uuid[])',
};

export const insertFailures: Statement = {
  name: 'insert-failures',
  text: `
    insert into dkim_failure (org_id, report_id, signer, selector, source_ip, domain_id, day, messages)
    select $1, report_id, signer, selector, address, domain_id, day, messages
      from json_to_recordset($2::json) as ${KEYS}
    order by report_id, signer, selector, address`,
};

/**
 * Marks the days on which these passes alone decide whether a selector is evidence: a recorded pass shortly before or
 * after covers the others. To be called while none of these passes is recorded. While mail is signed every day, none is
 * left of those days but future ones, which no report has.
 */
export const markSignatures: Statement = {
  name: 'mark-signatures',
  text: `
    insert into unjudged_signature (org_id, domain_id, signer, selector, from_day, to_day)
    select $1, domain_id, signer, selector, from_day, to_day from (
      select k.*,
        greatest(k.day, (select max(day) from dkim_pass p where ${SAME_SELECTOR}
          and p.day < k.day) + ${EVIDENCE_DAYS + 1}) as from_day,
        least(k.day + ${EVIDENCE_DAYS}, (select min(day) from dkim_pass p where ${SAME_SELECTOR}
          and p.day > k.day) - 1) as to_day
      from json_to_recordset($2::json) as ${KEYS}) d
    where from_day <= to_day and (from_day <= (ledger_now() at time zone 'utc')::date + 1
      or exists (select from report r where r.org_id = $1 and r.domain_id = d.domain_id and r.day >= d.from_day
        and r.both_failed > 0))
    returning domain_id`,
};

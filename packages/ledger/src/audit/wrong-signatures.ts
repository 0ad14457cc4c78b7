import { type Database, type Db, transact } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { DETAILED } from './detailed-records.ts';
import { judgeFromStart } from '../reports/judge-from-start.ts';
import { readWithoutLoops } from './without-loops.ts';

/** Reports that are judged again in one transaction. */
const AT_ONCE = 100;
/** A report keeps at most 1,000 keys of each kind, one of them without a name. */
const FULL = 999;
/** Failures matter so long; an upgrade has recorded none that were older. */
const FAILURE_DAYS = 90;

/** Names that are recorded without doubt, each of which can have a record in the DNS: plain, and short together. */
const CERTAINLY_KEPT = `signer ~ '^[a-z0-9]{1,60}([.][a-z0-9]{1,60}){1,2}$' and signer !~ '[.][0-9]+$'
          and selector ~ '^[a-z0-9]{1,60}$' and length(selector || '._domainkey.' || signer) <= 253`;

/** A report whose signatures are recorded wrongly: those that passed, or those that did not. */
interface WrongSignatures {
  id: string;
  table: 'dkim_pass' | 'dkim_failure';
}

/**
 * Returns the reports whose aligned signatures differ from what is recorded as evidence: a key without a row, a row
 * without a key, or other messages. Reads records alone, and repeats no code that records them. Older workers leave
 * such reports in an upgrade. Those that wait to be judged are left out, as are names that may not be recorded, and
 * all of a report's that has others than ASCII: PostgreSQL does not fold them as we do.
 */
export async function findWrongSignatures(db: Db, orgId: string): Promise<WrongSignatures[]> {
  const wrong = sql<WrongSignatures>`
    with signed as (
      select report_id, is_pass, signer, selector, address, bool_or(is_odd) as is_odd,
        least(sum(messages), ${Number.MAX_SAFE_INTEGER}::bigint)::bigint as said
      from (
        select distinct c.report_id, c.position, c.messages, x.value ->> 'result' = 'pass' as is_pass,
          x.value ->> 'domain' as signer, lower(btrim(coalesce(x.value ->> 'selector', ''))) as selector,
          case x.value ->> 'result' when 'pass' then '' else host(c.source_ip) end as address,
          concat(x.value ->> 'domain', x.value ->> 'selector') !~ '^[ -~]*$' as is_odd
        from (
          select ${sql.raw(DETAILED)} from stored_record s left join record_detail d
            on d.org_id = ${orgId} and d.id = s.detail_id where s.org_id = ${orgId}
        ) c cross join lateral jsonb_array_elements(
          case jsonb_typeof(c.dkim_results) when 'array' then c.dkim_results end) with ordinality as x (value, place)
        where c.dkim_aligned[x.place] and x.value ->> 'domain' <> '' and x.value ->> 'result' <> 'none'
      ) once group by report_id, is_pass, signer, selector, address
    ), held as (
      select report_id, true as is_pass, signer, selector, '' as address, messages as kept from dkim_pass
      where org_id = ${orgId} and selector <> ''
      union all
      select report_id, false, signer, selector, host(source_ip), messages from dkim_failure where org_id = ${orgId}
    ), compared as (
      select *, count(kept) over reported as rows, coalesce(bool_or(is_odd) over reported, false) as has_odd
      from signed full join held using (report_id, is_pass, signer, selector, address)
      window reported as (partition by report_id, is_pass)
    ), wrong as (
      select c.report_id, is_pass from compared c join report r on r.org_id = ${orgId} and r.id = c.report_id
      where not has_odd and (kept <> said or said is null
        or kept is null and rows < ${FULL} and (is_pass
          or r.day >= (ledger_now() at time zone 'utc')::date - ${FAILURE_DAYS}::integer)
          and ${sql.raw(CERTAINLY_KEPT)})
      union
      select r.id, true from report r
        left join (select report_id, bool_or(is_pass) as has_pass from signed group by report_id) s
          on s.report_id = r.id
      where r.org_id = ${orgId} and coalesce(s.has_pass, false) <> exists (
        select from dkim_pass p where p.org_id = r.org_id and p.report_id = r.id and p.signer = '' and p.selector = '')
    )
    select w.report_id as id, case when w.is_pass then 'dkim_pass' else 'dkim_failure' end as table from wrong w
    where not exists (select from unjudged_report u where u.org_id = ${orgId} and u.report_id = w.report_id)
    order by 1, 2`;
  return (await readWithoutLoops(db, (trx) => wrong.execute(trx))).rows;
}

/** Has the reports with wrong signatures judged again, which records what they say. */
export async function repairSignatures(database: Database, orgId: string): Promise<void> {
  const wrong = [...new Set((await findWrongSignatures(database.db, orgId)).map(({ id }) => id))];
  for (let at = 0; at < wrong.length; at += AT_ONCE)
    await transact(database, (session) => judgeFromStart(session, orgId, wrong.slice(at, at + AT_ONCE)));
}

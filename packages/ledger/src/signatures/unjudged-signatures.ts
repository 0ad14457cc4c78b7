import type { Db, Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { announce } from '../due-work/announce-work.ts';

/** Days on which a selector has begun, or ceased, to be evidence for a domain. */
export interface UnjudgedSignature {
  id: string;
  signer: string;
  selector: string;
  from: Day;
  to: Day;
}

const MARKS = 100;
const REPORTS = 200;

/** Returns some of the marks of a domain, the oldest first. */
export async function findUnjudgedSignatures(db: Db, orgId: string, domainId: string): Promise<UnjudgedSignature[]> {
  return await db
    .selectFrom('unjudged_signature')
    .select(['id', 'signer', 'selector', 'from_day as from', 'to_day as to'])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .orderBy('since')
    .orderBy('id')
    .limit(MARKS)
    .execute();
}

/** Returns some reports of those days with failing records that carry the broken signature, by id. */
export async function findReportsToClassify(
  db: Db,
  { orgId, domainId, after }: { orgId: string; domainId: string; after: string | null },
  { signer, selector, from, to }: UnjudgedSignature,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from report r
    where r.org_id = ${orgId} and r.domain_id = ${domainId} and r.day between ${from}::date and ${to}::date
      and r.both_failed > 0 and (${after}::uuid is null or r.id > ${after}::uuid) and exists (
        select from report_record c cross join lateral jsonb_array_elements(
          case jsonb_typeof(c.dkim_results) when 'array' then c.dkim_results end) as s (value)
        where c.org_id = ${orgId} and c.report_id = r.id and not c.dkim_pass and not c.spf_pass
          and s.value ->> 'result' <> 'pass' and lower(btrim(coalesce(s.value ->> 'selector', ''))) = ${selector}
          and (${selector} = '' or s.value ->> 'domain' = ${signer}))
    order by r.id limit ${REPORTS}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns some reports with failing records, by id, after the given one. */
export async function findReportsWithFailures(db: Db, orgId: string, after: string | null): Promise<string[]> {
  let query = db.selectFrom('report').select('id').where('org_id', '=', orgId).where('both_failed', '>', 0);
  if (after !== null) query = query.where('id', '>', after);
  return (await query.orderBy('id').limit(REPORTS).execute()).map(({ id }) => id);
}

/**
 * Has reports classified again. A report that still waits to be read or aligned is classified anyway; the others get a
 * new version, which discards a classification that began before.
 */
export async function classifyAgain(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  if (reportIds.length === 0) return;
  const { db } = session;
  await sql`select from report where org_id = ${orgId} and id = any(${reportIds}::uuid[]) order by id for update`.execute(
    db,
  );
  const { rows } = await sql<{ id: string }>`
    with renewed as (
      update report r set version = r.version + 1 where r.org_id = ${orgId} and r.id = any(${reportIds}::uuid[])
        and not exists (select from unjudged_report u where u.org_id = r.org_id and u.report_id = r.id and u.step <> 'classify')
      returning r.id
    )
    insert into unjudged_report (org_id, report_id, step) select ${orgId}, id, 'classify' from renewed order by id
    on conflict (org_id, report_id) do update set since = now() returning report_id as id`.execute(db);
  if (rows.length === 0) return;
  const payload = { orgId, reportIds: rows.map(({ id }) => id) };
  await announce(session, orgId, [{ job: 'classifyReports', payload }]);
}

/** Deletes marks whose reports have been announced. */
export async function finishSignatures(
  { db }: Session,
  orgId: string,
  domainId: string,
  marks: readonly UnjudgedSignature[],
): Promise<void> {
  await db
    .deleteFrom('unjudged_signature')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('id', '=', sql<string>`any(${marks.map(({ id }) => id)}::uuid[])`)
    .execute();
}

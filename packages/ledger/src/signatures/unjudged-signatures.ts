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

const MARKS = 10_000;
const REPORTS = 200;
/** Records of the reports that one statement reads; a report with more is read on its own. */
const RECORDS = 100_000;

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

/** The report that a page of reports ends with; null before the first page. */
export type ReportCursor = { day: Day; id: string } | null;

/** Some reports of a domain with failing records, by day. */
export interface SignedPage {
  /** Those with a failing record that carries a marked signature on one of the mark's days. */
  reportIds: string[];
  /** Where the next page begins; null after the last one. */
  next: ReportCursor;
}

/**
 * Searches the next reports of a domain for failing records that carry one of the marked signatures. All marks are
 * searched for together, and every record is read once, however many marks there are: a sender chooses how many
 * selectors a report names. A page is bounded by its records, so that no statement takes long.
 */
export async function findReportsToClassify(
  db: Db,
  { orgId, domainId, after }: { orgId: string; domainId: string; after: ReportCursor },
  marks: readonly UnjudgedSignature[],
): Promise<SignedPage> {
  const byKey = Map.groupBy(marks, ({ signer, selector }) => keyOf(signer, selector));
  const [from, to] = [
    marks.map((mark) => mark.from).toSorted()[0],
    marks
      .map((mark) => mark.to)
      .toSorted()
      .at(-1),
  ];
  const { rows } = await sql<{ id: string; day: Day; keys: string[] | null }>`
    with page as materialized (
      select id, day from (
        select id, day, records, sum(records) over (order by day, id) as records_up_to from (
          select id, day, records from report
          where org_id = ${orgId} and domain_id = ${domainId} and both_failed > 0 and day between ${from}::date
            and ${to}::date
            and (${after?.id ?? null}::uuid is null
              or (day, id) > (${after?.day ?? null}::date, ${after?.id ?? null}::uuid))
          order by day, id limit ${REPORTS}) next) bounded
      where records_up_to - records < ${RECORDS}
    )
    select p.id, p.day::text as day, s.keys from page p cross join lateral (
      select array_agg(distinct k.key) as keys
      from report_record c cross join lateral jsonb_array_elements(
        case jsonb_typeof(c.dkim_results) when 'array' then c.dkim_results end) as s (value)
        cross join lateral (select lower(btrim(coalesce(s.value ->> 'selector', ''))) as selector) n
        cross join lateral (select case n.selector when '' then ' ' else n.selector || ' ' || (s.value ->> 'domain')
          end as key) k
      where c.org_id = ${orgId} and c.report_id = p.id and not c.dkim_pass and not c.spf_pass
        and s.value ->> 'result' <> 'pass' and k.key = any(${[...byKey.keys()]}::text[])) s
    order by p.day, p.id`.execute(db);
  const isMarked = ({ day, keys }: { day: Day; keys: string[] | null }) =>
    keys?.some((key) => byKey.get(key)?.some((mark) => mark.from <= day && day <= mark.to)) ?? false;
  const last = rows.at(-1);
  return { reportIds: rows.filter(isMarked).map(({ id }) => id), next: last ? { day: last.day, id: last.id } : null };
}

/** As the statement above writes it; without a selector, the signer does not matter. */
function keyOf(signer: string, selector: string): string {
  return selector === '' ? ' ' : `${selector} ${signer}`;
}

/** Returns some reports with failing records, by id, after the given one. */
export async function findReportsWithFailures(db: Db, orgId: string, after: string | null): Promise<string[]> {
  let query = db.selectFrom('report').select('id').where('org_id', '=', orgId).where('both_failed', '>', 0);
  if (after !== null) query = query.where('id', '>', after);
  return (await query.orderBy('id').limit(REPORTS).execute()).map(({ id }) => id);
}

/**
 * Has reports classified again. A report that still waits to be read or aligned is classified anyway, also when reading
 * it again shows no difference; the others get a new version, which discards a classification that began before.
 */
export async function classifyAgain(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  if (reportIds.length === 0) return;
  const { db } = session;
  await sql`select from report where org_id = ${orgId} and id = any(${reportIds}::uuid[])
    order by id for update`.execute(db);
  await sql`update unjudged_report set is_judged = false where org_id = ${orgId}
    and report_id = any(${reportIds}::uuid[]) and step = 'reread' and is_judged`.execute(db);
  const { rows } = await sql<{ id: string }>`
    with renewed as (
      update report r set version = r.version + 1 where r.org_id = ${orgId} and r.id = any(${reportIds}::uuid[])
        and not exists (select from unjudged_report u where u.org_id = r.org_id and u.report_id = r.id
          and u.step <> 'classify')
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

import { alignRecord, type PolicyPublished, type RecordAlignment, type RecordClass } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** A report without its records. */
export async function findReport(db: Db, orgId: string, id: string) {
  return await db
    .selectFrom('report')
    .select(['id', 'metadata', 'policy', 'records', 'spf_only', 'dkim_only', 'both_failed'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type ReportHead = NonNullable<Awaited<ReturnType<typeof findReport>>>;

/** In document order. */
export async function findWarnings(db: Db, orgId: string, reportId: string): Promise<Warning[]> {
  return await db
    .selectFrom('parse_warning')
    .select(['code', 'detail'])
    .where('org_id', '=', orgId)
    .where('report_id', '=', reportId)
    .orderBy('position')
    .orderBy('code')
    .execute();
}

/** How many records are held at a time: few enough to be turned into JSON without holding anybody up. */
const RECORDS_AT_A_TIME = 100;

/** The records of a report in the reporter's order, some at a time, so that a report of any size fits. */
export async function* readRecords(db: Db, orgId: string, { id, policy }: Pick<ReportHead, 'id' | 'policy'>) {
  let after = -1;
  for (;;) {
    const rows = await selectRecords(db, orgId, id, after);
    if (rows.length > 0) yield rows.map((row) => ({ ...row, ...judgement(row, policy) }));
    const last = rows.at(-1);
    if (!last || rows.length < RECORDS_AT_A_TIME) return;
    after = last.position;
  }
}

export type StoredRecord = Awaited<ReturnType<typeof selectRecords>>[number] & {
  class: RecordClass;
  alignment: RecordAlignment;
};

async function selectRecords(db: Db, orgId: string, reportId: string, after: number) {
  return await db
    .selectFrom('report_record')
    .select([
      'position',
      'messages',
      'disposition',
      'dkim_pass',
      'spf_pass',
      'header_from',
      'envelope_from',
      'envelope_to',
      'reasons',
      'dkim_results',
      'spf_results',
      'dkim_aligned',
      'spf_aligned',
      'class',
      sql<string>`coalesce(source_text, host(source_ip))`.as('source_ip'),
    ])
    .where('org_id', '=', orgId)
    .where('report_id', '=', reportId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(RECORDS_AT_A_TIME)
    .execute();
}

/** As judged, or as far as it is known before: what passed is authenticated, and alignment follows from the report alone. */
function judgement(row: Awaited<ReturnType<typeof selectRecords>>[number], policy: PolicyPublished) {
  const compliant = row.dkim_pass || row.spf_pass;
  const judged: RecordClass = compliant ? 'authenticated' : (row.class ?? 'needs_review');
  const isAligned = (row.dkim_results === null || row.dkim_aligned) && (row.spf_results === null || row.spf_aligned);
  if (isAligned) return { class: judged, alignment: { spf: row.spf_aligned, dkim: row.dkim_aligned } };
  const identifiers = { headerFrom: row.header_from, envelopeFrom: row.envelope_from, envelopeTo: row.envelope_to };
  return {
    class: judged,
    alignment: alignRecord({ identifiers, authResults: { dkim: row.dkim_results, spf: row.spf_results } }, policy),
  };
}

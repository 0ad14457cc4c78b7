import type { Db } from '@dmarc-ledger/schema';
import { HttpProblem, type Warning } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Returns a report without its records. */
export async function findReport(db: Db, orgId: string, id: string) {
  return await db
    .selectFrom('report')
    .select(['id', 'version', 'metadata', 'policy', 'records', 'spf_only', 'dkim_only', 'both_failed', 'unproven'])
    .select(['messages', 'compliant'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export type ReportHead = NonNullable<Awaited<ReturnType<typeof findReport>>>;

/** Returns the warnings in document order. */
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

/** Which records of a report. */
interface RecordRange {
  /** The position to begin with. */
  first?: number;
  /** The canonical form of an address: only its records. */
  address?: string | undefined;
  /** Only records that failed DMARC. */
  onlyFailed?: boolean;
}

/** The most records in memory at a time: few enough to be turned into JSON without delaying other requests. */
const RECORDS_AT_A_TIME = 100;

/**
 * Yields the records of a report in the reporter's order, in batches, so that a report of any size can be read. A slow
 * reader may take minutes: what ends without a fault are the records of this version of the report, and all of them.
 * @throws {HttpProblem} `report_changed` when other records have replaced them, or they were deleted.
 */
export async function* readRecords(
  db: Db,
  orgId: string,
  report: Pick<ReportHead, 'id' | 'version'>,
  { first = 0, address, onlyFailed = false }: RecordRange = {},
): AsyncGenerator<StoredRecord[]> {
  let after = first - 1;
  for (;;) {
    const rows = await selectRecords(db, orgId, report.id, { after, address, onlyFailed });
    const last = rows.at(-1);
    const isEnd = !last || rows.length < RECORDS_AT_A_TIME;
    if (isEnd) await requireVersion(db, orgId, report);
    if (last) yield rows;
    if (isEnd) return;
    after = last.position;
  }
}

/** The version grows when other records replace those of a report. */
async function requireVersion(db: Db, orgId: string, { id, version }: Pick<ReportHead, 'id' | 'version'>) {
  const unchanged = await db
    .selectFrom('report')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (unchanged) return;
  const headers = { 'retry-after': '5' };
  throw new HttpProblem('report_changed', { status: 503, error: 'Service Unavailable', headers });
}

/** A stored record: class and alignments are null while it waits to be judged. */
export type StoredRecord = Awaited<ReturnType<typeof selectRecords>>[number];

async function selectRecords(
  db: Db,
  orgId: string,
  reportId: string,
  { after, address, onlyFailed }: { after: number; address: string | undefined; onlyFailed: boolean },
) {
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
    .$if(address !== undefined, (of) => of.where(sql<boolean>`source_ip = ${address}::inet`))
    .$if(onlyFailed, (of) => of.where('dkim_pass', '=', false).where('spf_pass', '=', false))
    .orderBy('position')
    .limit(RECORDS_AT_A_TIME)
    .execute();
}

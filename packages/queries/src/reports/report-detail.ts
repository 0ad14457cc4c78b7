import type { Db } from '@dmarc-ledger/schema';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/** Returns a report without its records. */
export async function findReport(db: Db, orgId: string, id: string) {
  return await db
    .selectFrom('report')
    .select(['id', 'metadata', 'policy', 'records', 'spf_only', 'dkim_only', 'both_failed', 'unproven'])
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
}

/** The most records in memory at a time: few enough to be turned into JSON without delaying other requests. */
const RECORDS_AT_A_TIME = 100;

/**
 * Yields the records of a report in the reporter's order, in batches, so that a report of any size can be read.
 */
export async function* readRecords(
  db: Db,
  orgId: string,
  reportId: string,
  { first = 0, address }: RecordRange = {},
): AsyncGenerator<StoredRecord[]> {
  let after = first - 1;
  for (;;) {
    const rows = await selectRecords(db, orgId, reportId, { after, address });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < RECORDS_AT_A_TIME) return;
    after = last.position;
  }
}

/** A stored record: class and alignments are null while it waits to be judged. */
export type StoredRecord = Awaited<ReturnType<typeof selectRecords>>[number];

async function selectRecords(
  db: Db,
  orgId: string,
  reportId: string,
  { after, address }: { after: number; address: string | undefined },
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
    .orderBy('position')
    .limit(RECORDS_AT_A_TIME)
    .execute();
}

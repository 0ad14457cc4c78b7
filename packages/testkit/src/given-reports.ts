import type { Db } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { countEverything } from './count-everything.ts';
import { recordRow } from './given-record.ts';
import { reportRow, type GivenReport } from './given-report.ts';

/** Stores reports with statements of its own and recounts everything. Returns their ids, in order. */
export async function givenReports(db: Db, orgId: string, reports: GivenReport[]): Promise<string[]> {
  const ids: string[] = [];
  for (const report of reports) ids.push(await insertReport(db, orgId, report));
  await countEverything(db, orgId);
  return ids;
}

async function insertReport(db: Db, orgId: string, given: GivenReport): Promise<string> {
  const { domain = 'example.com', reporter = 'google.com', records = [{}], warnings = [] } = given;
  const domainId = await idOf(db, orgId, 'domain', domain);
  const reporterId = await idOf(db, orgId, 'reporter', reporter ?? '');
  const row = reportRow(orgId, { ...given, domain, reporter }, { domainId, reporterId });
  await db.insertInto('report').values(row).execute();
  for (const [position, record] of records.entries()) {
    await db
      .insertInto('report_record')
      .values(recordRow({ ...row, domain, position }, record))
      .execute();
  }
  for (const [position, warning] of warnings.entries()) {
    await db
      .insertInto('parse_warning')
      .values({ org_id: orgId, report_id: row.id, position, ...warning })
      .execute();
  }
  return row.id;
}

async function idOf(db: Db, orgId: string, table: 'domain' | 'reporter', name: string): Promise<string> {
  const known = db.selectFrom(table).select('id').where('org_id', '=', orgId).where('name', '=', name);
  const row = { org_id: orgId, id: (await known.executeTakeFirst())?.id ?? newId(), name };
  if (table === 'reporter')
    await db
      .insertInto('reporter')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await db
      .insertInto('domain')
      .values({ ...row, source: 'auto' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return row.id;
}

import { countedReporter } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import { countEverything } from './count-everything.ts';
import { recordRow } from './given-record.ts';
import { reportRow, type GivenReport } from './given-report.ts';

/** Rows of one statement, whose parameters are at most 65,535. */
const TOGETHER = 500;

/** Stores reports with statements of its own and recounts everything. Returns their ids, in order. */
export async function givenReports(db: Db, orgId: string, reports: GivenReport[]): Promise<string[]> {
  const ids: string[] = [];
  for (const some of chunks(reports)) ids.push(...(await insertReports(db, orgId, some)));
  await countEverything(db, orgId);
  return ids;
}

async function insertReports(db: Db, orgId: string, reports: GivenReport[]): Promise<string[]> {
  const named = reports.map(({ domain = 'example.com', reporter = 'google.com', ...given }) => ({
    ...given,
    domain,
    reporter,
    counted: countedReporter({ email: given.metadata?.email ?? null, reporterName: reporter }),
  }));
  const stated = new Map(named.map(({ counted }) => [counted.name, counted.statedName]));
  const domainIds = await idsOf(db, orgId, 'domain', [...new Set(named.map(({ domain }) => domain))]);
  const reporterIds = await idsOf(db, orgId, 'reporter', [...stated.keys()]);
  for (const [name, statedName] of stated)
    if (statedName !== null)
      await db
        .updateTable('reporter')
        .set({ stated_name: statedName })
        .where('org_id', '=', orgId)
        .where('name', '=', name)
        .execute();
  const rows = named.map((given) =>
    reportRow(orgId, given, {
      domainId: domainIds.get(given.domain)!,
      reporterId: reporterIds.get(given.counted.name)!,
    }),
  );
  await db.insertInto('report').values(rows).execute();
  const records = rows.flatMap((row, i) =>
    (named[i]?.records ?? [{}]).map((record, position) => recordRow({ ...row, domain: row.domain, position }, record)),
  );
  for (const some of chunks(records)) await db.insertInto('stored_record').values(some).execute();
  const warnings = rows.flatMap(({ id }, i) =>
    (named[i]?.warnings ?? []).map((warning, position) => ({ org_id: orgId, report_id: id, position, ...warning })),
  );
  for (const some of chunks(warnings)) await db.insertInto('parse_warning').values(some).execute();
  return rows.map(({ id }) => id);
}

/** The ids of names, which are stored where they are new. */
async function idsOf(
  db: Db,
  orgId: string,
  table: 'domain' | 'reporter',
  names: string[],
): Promise<Map<string, string>> {
  const known = await db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('org_id', '=', orgId)
    .where('name', 'in', names)
    .execute();
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  const rows = names.filter((name) => !ids.has(name)).map((name) => ({ org_id: orgId, id: newId(), name }));
  for (const { id, name } of rows) ids.set(name, id);
  if (rows.length === 0) return ids;
  if (table === 'reporter') await db.insertInto('reporter').values(rows).execute();
  else
    await db
      .insertInto('domain')
      .values(rows.map((row) => ({ ...row, source: 'auto' as const })))
      .execute();
  return ids;
}

function* chunks<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += TOGETHER) yield list.slice(at, at + TOGETHER);
}

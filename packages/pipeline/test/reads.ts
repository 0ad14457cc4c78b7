import type { Ledger } from './ledger.ts';

/** Reports of the ledger's organization, by domain or part of the report id. */
export async function findReports(
  { database: { db }, orgId }: Pick<Ledger, 'database' | 'orgId'>,
  { domain, search }: { domain?: string; search?: string },
) {
  let query = db.selectFrom('report').where('org_id', '=', orgId);
  if (domain) query = query.where('domain', '=', domain);
  if (search) query = query.where('report_id', 'like', `%${search}%`);
  const rows = await query.select(['id', 'records', 'messages', 'compliant']).execute();
  return { rows, total: rows.length };
}

export async function findOrgTotal({ database: { db }, orgId }: Pick<Ledger, 'database' | 'orgId'>) {
  return await db
    .selectFrom('org_total')
    .select(['reports', 'messages'])
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow();
}

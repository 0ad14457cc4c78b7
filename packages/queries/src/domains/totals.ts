import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** The totals of an organization, or of one of its domains. */
export interface Total {
  reports: number;
  messages: number;
  compliant: number;
  domains: number;
  sources: number;
  failingSources: number;
  /** Whether the sources of the organization are in the indexes that long lists are read by. */
  areSourcesIndexed: boolean;
}

const NOTHING: Total = {
  reports: 0,
  messages: 0,
  compliant: 0,
  domains: 0,
  sources: 0,
  failingSources: 0,
  areSourcesIndexed: false,
};

export async function findOrgTotal(db: Db, orgId: string): Promise<Total> {
  const total = await db
    .selectFrom('org_total')
    .select([
      'reports',
      'messages',
      'compliant',
      'domains',
      'sources',
      'failing_sources as failingSources',
      'sources_indexed as areSourcesIndexed',
    ])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return total ?? NOTHING;
}

export async function findDomainTotal(db: Db, orgId: string, domainId: string): Promise<Total> {
  const total = await db
    .selectFrom('domain_total as d')
    .leftJoin('org_total as o', 'o.org_id', 'd.org_id')
    .select(['d.reports', 'd.messages', 'd.compliant', 'd.sources', 'd.failing_sources as failingSources'])
    .select(sql<boolean>`coalesce(o.sources_indexed, false)`.as('areSourcesIndexed'))
    .where('d.org_id', '=', orgId)
    .where('d.domain_id', '=', domainId)
    .executeTakeFirst();
  return total ? { ...NOTHING, ...total, domains: total.reports > 0 ? 1 : 0 } : NOTHING;
}

/** Returns the total of one domain, by its exact name. */
export async function findNamedTotal(db: Db, orgId: string, domain: string): Promise<Total> {
  const id = await findDomainId(db, orgId, domain);
  return id === undefined ? NOTHING : await findDomainTotal(db, orgId, id);
}

export async function findDomainId(db: Db, orgId: string, name: string): Promise<string | undefined> {
  const domain = db.selectFrom('domain').select('id').where('org_id', '=', orgId).where('name', '=', name);
  return (await domain.executeTakeFirst())?.id;
}

/** Returns the names of domains, by id. */
export async function findDomainNames(db: Db, orgId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from domain where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

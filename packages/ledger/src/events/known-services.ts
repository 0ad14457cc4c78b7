import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { isFirstDoubted } from '../due-work/first-doubted.ts';
import { findFirstSeen, type OfDomain } from './first-seen.ts';

/** The oldest addresses of a service that are looked at; behind so many of forged reports, it counts as unknown. */
const OLDEST = 20;

/**
 * Returns since when services have sent passing mail for a domain, by reports that are not unauthenticated. (rules,
 * events/reports-that-may-be-forged)
 */
export async function findKnownServices(db: Db, of: OfDomain, slugs: readonly string[]): Promise<Map<string, Date>> {
  if (slugs.length === 0) return new Map();
  const { rows } = await sql<{ slug: string; ip: string; first_seen: Date; is_doubted: boolean }>`
    select w.slug, host(d.source_ip) as ip, d.first_seen, ${isFirstDoubted} as is_doubted
    from unnest(${slugs}::text[]) as w (slug) cross join lateral (
      select d.*
      from source_standing s join source_domain d on d.org_id = ${of.orgId} and d.source_ip = s.source_ip
        and d.domain_id = ${of.domainId} and d.compliant > 0 and d.first_seen is not null
      where s.org_id = ${of.orgId} and s.service_slug = w.slug order by d.first_seen limit ${OLDEST}) d`.execute(db);
  const doubted = rows.flatMap(({ ip, is_doubted }) => (is_doubted ? [ip] : []));
  const seen = await findFirstSeen(db, of, doubted);
  const known = new Map<string, Date>();
  for (const { slug, ip, first_seen, is_doubted } of rows) {
    const since = is_doubted ? seen.get(ip)?.first_passed : first_seen;
    const before = known.get(slug);
    if (since && (!before || since < before)) known.set(slug, since);
  }
  return known;
}

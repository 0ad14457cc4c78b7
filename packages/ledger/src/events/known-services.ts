import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findFirstSeen } from './first-seen.ts';

/** The oldest addresses of a service that are looked at where reports may be forged. */
const OLDEST = 20;

interface OfDomain {
  orgId: string;
  domainId: string;
  /** Whether the domain has unauthenticated reports. */
  mayBeForged: boolean;
}

/**
 * Returns since when services have sent passing mail for a domain, by reports that are not unauthenticated. (rules,
 * events/reports-that-may-be-forged)
 */
export async function findKnownServices(
  db: Db,
  { orgId, domainId, mayBeForged }: OfDomain,
  slugs: readonly string[],
): Promise<Map<string, Date>> {
  if (slugs.length === 0) return new Map();
  const { rows } = await sql<{ slug: string; ip: string; first_seen: Date }>`
    select w.slug, host(d.source_ip) as ip, d.first_seen from unnest(${slugs}::text[]) as w (slug) cross join lateral (
      select d.source_ip, d.first_seen
      from source_standing s join source_domain d on d.org_id = ${orgId} and d.source_ip = s.source_ip
        and d.domain_id = ${domainId} and d.compliant > 0 and d.first_seen is not null
      where s.org_id = ${orgId} and s.service_slug = w.slug
      order by d.first_seen limit ${mayBeForged ? OLDEST : 1}) d`.execute(db);
  const seen = mayBeForged
    ? await findFirstSeen(
        db,
        { orgId, domainId },
        rows.map(({ ip }) => ip),
      )
    : undefined;
  const known = new Map<string, Date>();
  for (const { slug, ip, first_seen } of rows) {
    const since = seen ? seen.get(ip)?.first_passed : first_seen;
    const before = known.get(slug);
    if (since && (!before || since < before)) known.set(slug, since);
  }
  return known;
}

import type { AprfEntryFacts, Db } from '@dmarc-ledger/schema';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';

/**
 * One row of a provider's report on mail placement. Each row is a measurement of its own: rows must not be added up.
 */
export interface Placement {
  day: Day;
  source: string;
  dkimDomain: string;
  dkimSelector: string;
  version: string;
  sdiUsed: string;
  extraInfo: string;
  segment: string[];
  classification: AprfEntryFacts[] | null;
  engagement: AprfEntryFacts[] | null;
}

const DAYS = 7;

/**
 * Returns all rows of each provider's newest report day in the last seven UTC days, about a domain and all its
 * subdomains.
 */
export async function findPlacement(db: Db, orgId: string, domain: string, today: Day): Promise<Placement[]> {
  const { rows } = await sql<Placement>`
    with recent as (
      select * from aprf_report where org_id = ${orgId} and dkim_domain = any(${[domain, `*.${domain}`]})
        and day >= ${addDays(today, 1 - DAYS)}::date and day <= ${today}::date
    ), newest as (select source, max(day) as day from recent group by source)
    select r.day::text as day, r.source, r.dkim_domain as "dkimDomain", r.dkim_selector as "dkimSelector", r.version,
      r.sdi_used as "sdiUsed", r.extra_info as "extraInfo", w.segment, w.classification, w.engagement
    from recent r join newest using (source, day) join aprf_row w on w.org_id = r.org_id and w.report_id = r.id
    order by r.source collate "C", r.dkim_domain collate "C", r.dkim_selector collate "C", w.segment, r.id,
      w.position`.execute(db);
  return rows;
}

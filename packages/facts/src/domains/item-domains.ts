import type { Db } from '@dmarc-ledger/schema';
import type { ItemDomain, OpenEvent } from '@dmarc-ledger/scoring';
import { findOpenEvents } from './open-events.ts';

/** Subjects of checks that can make open items. */
const SUBJECTS = ['dmarc', 'spf', 'dkim', 'mta_sts', 'bimi', 'mx'];

/** Returns the findings about the organization's domains that can make items. */
export async function findItemDomains(db: Db, orgId: string): Promise<ItemDomain[]> {
  const [findings, events] = await Promise.all([findFindings(db, orgId), findOpenEvents(db, orgId)]);
  const domains = new Map<string, Watched>();
  const of = (domain: string) => {
    const known: Watched = domains.get(domain) ?? { domain, findings: new Map(), events: [] };
    domains.set(domain, known);
    return known;
  };
  for (const { domain, subject, ...finding } of findings) of(domain).findings.set(subject, finding);
  for (const { domain, ...event } of events) if (domain !== '') of(domain).events.push(event);
  return [...domains.values()];
}

type Watched = { domain: string; findings: Map<string, Finding>; events: OpenEvent[] };
type Finding = { status: string; details: string; hasRecord: boolean; facts: unknown };

async function findFindings(db: Db, orgId: string) {
  return await db
    .selectFrom('domain_check as c')
    .innerJoin('domain as d', (join) => join.onRef('d.org_id', '=', 'c.org_id').onRef('d.id', '=', 'c.domain_id'))
    .select(['d.name as domain', 'c.subject', 'c.status', 'c.details', 'c.has_record as hasRecord', 'c.facts'])
    .where('c.org_id', '=', orgId)
    .where('c.subject', 'in', SUBJECTS)
    .where('d.monitored', '=', true)
    .execute();
}

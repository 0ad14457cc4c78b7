import type { Enrichment } from '@dmarc-ledger/facts';
import type { ReputationFact, ReputationFacts } from '@dmarc-ledger/lookups';
import { nextLookup, type LookupEnd } from './next-lookup.ts';

/** What the reputation service answered, and its name. */
export type Rating = ReputationFact & { source: string };

/**
 * Adds the rating of an address to its row of facts. True when there was one. The service is stored also where it does
 * not rate the address, so that it is not asked again for a year. Without a service the row stays as it is.
 */
export function applyReputation(
  row: Enrichment,
  fact: Rating,
  { now, chance }: { now: Date; chance: number },
): boolean {
  if (fact.outcome === 'not_configured') return false;
  const end = endOf(fact);
  row.abuse_tries = end.kind === 'failed' ? row.abuse_tries + 1 : 0;
  if (fact.outcome === 'found') {
    applyFacts(row, fact.facts);
    row.abuse_source = fact.source;
    row.abuse_at = now;
  }
  if (fact.outcome === 'not_available') row.abuse_source ??= fact.source || null;
  row.abuse_due_at = nextLookup('abuse', end, { row, tries: row.abuse_tries, now, chance });
  return fact.outcome === 'found';
}

function endOf(fact: Exclude<ReputationFact, { outcome: 'not_configured' }>): LookupEnd {
  if (fact.outcome === 'refused') return { kind: 'refused', until: fact.until };
  return { kind: fact.outcome === 'failed' ? 'failed' : fact.outcome === 'not_available' ? 'never' : 'answered' };
}

function applyFacts(row: Enrichment, facts: ReputationFacts): void {
  row.abuse_score = facts.abuseScore;
  row.abuse_reports = facts.abuseReports;
  row.abuse_categories = [...facts.abuseCategories];
  row.abuse_last_reported = facts.abuseLastReported ?? null;
  row.usage_type = facts.usageType ?? null;
  row.is_tor = facts.tor;
  row.isp ??= facts.isp ?? null;
  row.country_code ??= facts.countryCode ?? null;
  row.country ??= facts.country ?? null;
}

import { findItemDomains, findOpenEvents, findScoreFacts, type ScoreFacts } from '@dmarc-ledger/facts';
import { countWindowSources, findOrgTotal } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import { overview, type Overview, type OverviewCard } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import type { OrgOverview } from './bodies/org-overview.ts';
import type { OverviewBody } from './bodies/overview-schema.ts';
import type { RequestNeeds } from './define-route.ts';
import { whileUnchanged, type UnchangedNeeds } from './while-unchanged.ts';

const STALE_DAYS = 7;

/** Kept while nothing has changed for the organization. */
export async function orgOverview(needs: UnchangedNeeds & Pick<RequestNeeds, 'caches'>): Promise<OrgOverview> {
  const { caller, today, caches } = needs;
  return await whileUnchanged(needs, { cache: caches.overviews, key: [] }, (own) =>
    computeOverview(own, caller.orgId, today),
  );
}

async function computeOverview(db: Db, orgId: string, today: Day): Promise<OrgOverview> {
  const [facts, watched, orgEvents, sources, held] = await Promise.all([
    findScoreFacts(db, orgId, today),
    findItemDomains(db, orgId),
    findOpenEvents(db, orgId, ''),
    countWindowSources(db, orgId, today),
    findOrgTotal(db, orgId),
  ]);
  const oldest = addDays(today, -STALE_DAYS);
  const domains = facts.map((domain) => ({ ...domain, isStale: domain.newestDay < oldest }));
  const hasReports = held.reports > 0;
  const found = overview({ domains, watched, orgEvents, hasReports });
  return { body: toAnswer(found, { sources, held }), score: found.score, items: found.items };
}

type Domain = ScoreFacts & { isStale: boolean };

function toAnswer(
  found: Overview<Domain>,
  { sources, held }: { sources: number; held: { reports: number; domains: number } },
): OverviewBody {
  const { high, medium, low } = found.pending;
  return {
    org_health: {
      overall_score: found.whole,
      grade: found.grade,
      verdict: found.verdict,
      health_state: found.state,
      compliance_rate: found.score.compliance,
      total_messages: found.score.sums.messages,
      total_domains: held.domains,
      domains_needing_attention: found.needingAttention,
      unique_source_ips: sources,
      has_data: held.reports > 0,
      forwarded_messages: found.forwarded,
    },
    domain_cards: found.cards.map(toCard),
    action_items_summary: { total_pending: high + medium + low, high, medium, low },
  };
}

function toCard({ facts, score, whole, grade, verdict, items }: OverviewCard<Domain>) {
  const [urgent] = items;
  return {
    domain: facts.domain,
    score: whole,
    grade,
    verdict,
    compliance_rate: score.compliance,
    total_messages: facts.messages,
    policy: facts.policy?.p ?? ('' as const),
    top_issue: urgent?.title ?? '',
    top_issue_severity: urgent?.severity ?? ('' as const),
    action_count: items.length,
    ...(facts.inheritedFrom !== null && { inherited: true as const, inherited_from: facts.inheritedFrom }),
    forwarded_messages: facts.forwarded,
  };
}

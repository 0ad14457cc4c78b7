import { findOrgCoverage } from '@dmarc-ledger/queries';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { toConfidence } from '../bodies/confidence-schema.ts';
import type { OrgCoverageBody } from '../bodies/org-coverage.ts';
import type { RequestNeeds } from '../define-route.ts';
import { whileUnchanged, type UnchangedNeeds } from '../while-unchanged.ts';

/** The window of the figures on the overview. */
export const ORG_COVERAGE_DAYS = 30;

/** Kept while nothing has changed for the organization. */
export async function orgCoverage(needs: UnchangedNeeds & Pick<RequestNeeds, 'caches'>): Promise<OrgCoverageBody> {
  const { caller, today, caches } = needs;
  return await whileUnchanged(needs, { cache: caches.orgCoverages, key: [] }, (own) =>
    computeCoverage(own, caller.orgId, today),
  );
}

async function computeCoverage(db: Db, orgId: string, today: Day): Promise<OrgCoverageBody> {
  const { all, domains } = await findOrgCoverage(db, orgId, { days: ORG_COVERAGE_DAYS, today });
  const reporters = all.reporters.map(({ name, state, reports, messages, reportDays, last }) => ({
    name,
    state,
    reports,
    messages,
    reportDays,
    lastDay: all.dayOf(last),
  }));
  return {
    confidence: toConfidence(all.confidence),
    confidences: new Map([...domains].map(([name, { confidence }]) => [name, toConfidence(confidence)])),
    reporters: reporters.toSorted((a, b) => Number(b.state === 'silent') - Number(a.state === 'silent')),
  };
}

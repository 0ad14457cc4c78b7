/**
 * The answers of the API for callers in the same process, such as the pages for people: what they show is what v1 says,
 * because the same code computes it.
 */
import type { RequestNeeds, TypedRoute } from './define-route.ts';
import { Attachment, JsonStream } from './http/answer.ts';

export type { RequestNeeds, TypedRoute } from './define-route.ts';
export { Attachment } from './http/answer.ts';
export { CSV_TYPE, csvLine, type Cell } from './http/csv.ts';
export { responseCaches, type Caching, type ResponseCaches } from './response-caches.ts';
export { listDecisionChanges } from './ext/sender-history.ts';
export type { SenderBody, SendersBody } from './bodies/senders-schema.ts';
export { findSenderPage } from './ext/senders.ts';
export type { DkimKeysBody } from './bodies/dkim-keys-schema.ts';
export type { SpfBody } from './bodies/spf-schema.ts';
export { dkimKeysAnswer, getDkimKeys } from './ext/dkim-keys.ts';
export { getSpf, spfAnswer } from './ext/spf.ts';
export { confidenceOfRate, type ConfidenceBody } from './bodies/confidence-schema.ts';
export type { CoverageBody } from './bodies/coverage-schema.ts';
export type { OrgCoverageBody, OrgReporter } from './bodies/org-coverage.ts';
export { ORG_COVERAGE_DAYS, orgCoverage } from './ext/org-coverage.ts';
export type { BulkSenderBody } from './bodies/bulk-sender-schema.ts';
export { bulkSenderAnswer, getBulkSenderRules } from './ext/bulk-sender.ts';
export { coverageAnswer, getCoverage } from './ext/coverage.ts';
export { enforcementAnswer, getEnforcement } from './ext/enforcement.ts';
export { enforcementStages } from './ext/enforcement-stages.ts';
export { orgOverview } from './org-overview.ts';
export { complianceScore } from './v1/compliance-score.ts';
export { dashboardOverview } from './v1/dashboard-overview.ts';
export { findDomainHealth, getDomainHealth } from './v1/domain-health.ts';
export { listDomains } from './v1/domains.ts';
export { listEvents } from './v1/events.ts';
export { findReportPage, listReports } from './v1/reports.ts';
export { verdictOf } from './v1/report-wire.ts';
export { getSource, sourceAnswer, sourceRecords } from './v1/source.ts';
export { findSourcePage, listSources } from './v1/sources.ts';
export { statistics } from './v1/statistics.ts';
export { trends } from './v1/trends.ts';

/** The type of an endpoint's answer. */
export type BodyOf<Of> = Of extends TypedRoute<never, infer Body> ? Body : never;

/** What an endpoint answers, as an object. Throws the endpoint's `HttpProblem`, for example when nothing is there. */
export async function answerOf<Input, Body>(
  route: TypedRoute<Input, Body>,
  needs: RequestNeeds,
  input: Input,
): Promise<Body> {
  const result = await route.handle(needs, input);
  if (result instanceof Attachment || result instanceof JsonStream) throw new TypeError(`${route.path} is not JSON`);
  return result;
}

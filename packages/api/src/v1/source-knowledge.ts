import type { SourceKnowledge } from '@dmarc-ledger/facts';
import {
  type AddressFacts,
  abuseStatusOf,
  judgeBlocklists,
  reasonOf,
  reputationReason,
  spamSignals,
  type BlocklistVerdict,
  type IdentifiedSender,
  type ListResult,
} from '@dmarc-ledger/sources';
import { instantOrNull } from './report-row.ts';

/** The verdict on an address that no list was queried for. */
export const uncheckedVerdict = toVerdict(judgeBlocklists([], 'full'));

/** The fields of the service, if it may be named. */
export function toServiceFields(service: IdentifiedSender | undefined) {
  return service ? { service_name: service.name, service_icon: service.icon, service_slug: service.slug } : {};
}

/** The fields of a list row that come from the known facts. */
export function toRowKnowledge(known: SourceKnowledge | undefined, failCount: number) {
  if (!known?.facts) return { ...toServiceFields(known?.service), blocklist_severity: 'unchecked' as const };
  const { row, facts, service } = known;
  const { abuseScore, blocklists } = facts;
  const isChecked = blocklists !== undefined && blocklists.severity !== 'unchecked';
  return {
    ...toServiceFields(service),
    abuse_status: abuseStatusOf(abuseScore),
    abuse_score: abuseScore === 0 ? undefined : abuseScore,
    reputation_reason: reputationReason(facts, failCount),
    blocklist_severity: blocklists?.severity ?? ('unchecked' as const),
    blocklist_summary: isChecked ? blocklists.summary : undefined,
    isp: row.isp ?? undefined,
    country: row.country_code ?? undefined,
    hostname: hostNameOf(known),
  };
}

/** The fields of the detail that come from the known facts. */
export function toSourceKnowledge(known: SourceKnowledge | undefined, results: readonly ListResult[]) {
  if (!known?.facts) return { ...toServiceFields(known?.service), blocklist_verdict: uncheckedVerdict };
  const { facts, service, row } = known;
  return {
    ...toServiceFields(service),
    hostname: hostNameOf(known),
    geo: toGeo(known),
    enrichment: toEnrichment({ row, facts, service }, results),
    blocklist_verdict: facts.blocklists ? toVerdict(facts.blocklists) : uncheckedVerdict,
    spam_signals: row.enriched_at ? spamSignals(facts) : undefined,
  };
}

/** What is known of an address that was looked up. */
type LookedUp = SourceKnowledge & { facts: AddressFacts };

/** The host name if it resolves back: anyone could have set any other name. */
function hostNameOf({ row }: SourceKnowledge): string | undefined {
  return row.ptr_state === 'confirmed' ? (row.hostname ?? undefined) : undefined;
}

function toGeo({ row: { country, city, latitude, longitude } }: SourceKnowledge) {
  return country === null ? undefined : { country, city, latitude, longitude };
}

function toEnrichment(known: LookedUp, results: readonly ListResult[]) {
  const { row, facts, service } = known;
  const verdict = facts.blocklists;
  return {
    ip: row.address,
    country: row.country ?? undefined,
    city: row.city ?? undefined,
    latitude: row.latitude ?? undefined,
    longitude: row.longitude ?? undefined,
    isp: row.isp ?? undefined,
    usage_type: row.usage_type ?? undefined,
    country_code: row.country_code ?? undefined,
    abuse_score: facts.abuseScore,
    abuse_reports: facts.abuseReports ?? 0,
    abuse_categories: row.abuse_categories ?? undefined,
    abuse_status: abuseStatusOf(facts.abuseScore),
    sender_name: service?.name,
    sender_slug: service?.slug,
    sender_icon: service?.icon,
    hostname: hostNameOf(known),
    blocklist_listed: verdict?.listed ?? 0,
    blocklist_total: verdict?.total ?? 0,
    blocklist_results: results.length > 0 ? results.map(toListResult) : undefined,
    abuse_last_reported: row.abuse_last_reported ? instantOrNull(row.abuse_last_reported) : undefined,
    enriched_at: instantOrNull(row.enriched_at),
    updated_at: instantOrNull(row.updated_at),
  };
}

function toListResult(result: ListResult) {
  const { name, status, category, details, tier, delistUrl } = result;
  return {
    name,
    listed: status === 'listed',
    status,
    reason: reasonOf(result),
    category,
    details,
    tier,
    delist_url: status === 'listed' ? delistUrl : undefined,
  };
}

function toVerdict(verdict: BlocklistVerdict) {
  const { severity, listed, clean, errored, checked, total, score, urgency, summary } = verdict;
  return {
    severity,
    listed,
    clean,
    errored,
    checked,
    total,
    score,
    names: verdict.names,
    top_list: verdict.topList,
    top_reason: verdict.topReason,
    top_tier: verdict.topTier,
    top_errored: verdict.topErrored,
    has_malware_c2: verdict.hasMalwareC2,
    urgency,
    summary,
    scope: verdict.scope,
  };
}

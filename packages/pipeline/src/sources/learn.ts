import { judgedBy, type Enrichment, type FoundFacts } from '@dmarc-ledger/db';
import type { Network, Place, ReputationFact, ReverseFact } from '@dmarc-ledger/lookups';
import { deservesFullCheck, judgeBlocklists, type CheckScope, type ListResult } from '@dmarc-ledger/sources';
import { nextLookup, type LookupEnd } from './next-lookup.ts';

/** What a run of lookups brought; what was not due, or not asked, is absent. */
export interface Findings {
  reverse?: ReverseFact;
  lists?: { scope: CheckScope; results: ListResult[] };
  reputation?: ReputationFact & { source: string };
  place?: { facts: Place & Network; build: string | null };
}

export interface LearnContext {
  now: Date;
  /** Mail of the address over all who hear of it. */
  volume: { messages: number; failing: number };
  /** From 0 to 1. */
  chance: number;
}

/** A row of facts with what was found. A question without an answer leaves what was known, and is asked again. */
export function learn(before: Enrichment, findings: Findings, context: LearnContext): FoundFacts {
  const { now } = context;
  const row: Enrichment = { ...before };
  if (findings.place) learnPlace(row, findings.place);
  if (findings.reverse) learnReverse(row, findings.reverse, context);
  if (findings.reputation) learnReputation(row, findings.reputation, context);
  if (findings.lists) learnLists(row, findings.lists, context);
  row.updated_at = now;
  row.enriched_at ??= now;
  row.priority = 2;
  row.due_at = new Date(Math.min(...[row.ptr_due_at, row.lists_due_at, row.abuse_due_at].map((due) => due.getTime())));
  return { row, results: findings.lists?.results, isChanged: judgedBy(row) !== judgedBy(before) };
}

function learnPlace(row: Enrichment, { facts, build }: NonNullable<Findings['place']>): void {
  row.country_code = facts.countryCode ?? null;
  row.country = facts.country ?? null;
  row.city = facts.city ?? null;
  row.latitude = facts.latitude ?? null;
  row.longitude = facts.longitude ?? null;
  row.asn = facts.asn ?? null;
  row.isp = facts.isp ?? null;
  row.geo_build = build;
}

function learnReverse(row: Enrichment, fact: ReverseFact, { now, chance }: LearnContext): void {
  const end: LookupEnd = {
    kind: fact.outcome === 'failed' ? 'failed' : fact.outcome === 'not_public' ? 'never' : 'answered',
  };
  row.ptr_tries = end.kind === 'failed' ? row.ptr_tries + 1 : 0;
  if (fact.outcome === 'found') {
    const [{ name, confirmed }] = fact.names as [{ name: string; confirmed: boolean | null }];
    row.hostname = name;
    row.ptr_state = confirmed === null ? 'unchecked' : confirmed ? 'confirmed' : 'unconfirmed';
    row.ptr_at = now;
  }
  if (fact.outcome === 'none') {
    row.hostname = null;
    row.ptr_state = 'none';
    row.ptr_at = now;
  }
  row.ptr_due_at = nextLookup('ptr', end, { row, tries: row.ptr_tries, now, chance });
}

function learnReputation(
  row: Enrichment,
  fact: NonNullable<Findings['reputation']>,
  { now, chance }: LearnContext,
): void {
  const end: LookupEnd =
    fact.outcome === 'refused'
      ? { kind: 'refused', until: fact.until }
      : { kind: fact.outcome === 'failed' ? 'failed' : fact.outcome === 'not_available' ? 'never' : 'answered' };
  row.abuse_tries = end.kind === 'failed' ? row.abuse_tries + 1 : 0;
  if (fact.outcome === 'found') {
    const { facts } = fact;
    row.abuse_score = facts.abuseScore;
    row.abuse_reports = facts.abuseReports;
    row.abuse_categories = [...facts.abuseCategories];
    row.abuse_last_reported = facts.abuseLastReported ?? null;
    row.usage_type = facts.usageType ?? null;
    row.is_tor = facts.tor;
    row.isp = facts.isp ?? row.isp;
    row.country_code ??= facts.countryCode ?? null;
    row.country ??= facts.country ?? null;
    row.abuse_source = fact.source;
    row.abuse_at = now;
  }
  row.abuse_due_at = nextLookup('abuse', end, { row, tries: row.abuse_tries, now, chance });
}

function learnLists(row: Enrichment, { scope, results }: NonNullable<Findings['lists']>, context: LearnContext): void {
  const { now, chance, volume } = context;
  const isAnswered = results.some(({ status }) => status !== 'error');
  row.lists_tries = isAnswered ? 0 : row.lists_tries + 1;
  // Without any answer the last verdict stands, and it is honest about its age; without one before, it is told as it is.
  if (isAnswered || row.verdict === null) {
    row.verdict = judgeBlocklists(results, scope);
    row.list_scope = scope;
    row.lists_at = results.length > 0 ? now : null;
  }
  const end: LookupEnd = { kind: isAnswered ? 'answered' : 'failed' };
  const isWorthAll = deservesFullCheck(volume);
  row.lists_due_at = nextLookup('lists', end, { row, tries: row.lists_tries, isWorthAll, now, chance });
}

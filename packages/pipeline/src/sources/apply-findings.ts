import { type Enrichment, judgedBy } from '@dmarc-ledger/facts';
import type { FoundFacts } from '@dmarc-ledger/ledger';
import type { Network, Place, ReverseFact } from '@dmarc-ledger/lookups';
import { applyLists, type FindingsContext, type ListFindings } from './apply-lists.ts';
import { applyReputation, type Rating } from './apply-reputation.ts';
import { nextLookup, type LookupEnd } from './next-lookup.ts';

/** The results of a run of lookups; a lookup that was not due, or not made, is absent. */
export interface Findings {
  reverse?: ReverseFact;
  lists?: ListFindings;
  reputation?: Rating;
  place?: { facts: Place & Network; build: string | null } | undefined;
}

/**
 * Adds findings to a row of facts. A question without an answer keeps what was known, and is asked again. An address
 * without any findings stays without a statement.
 */
export function applyFindings(before: Enrichment, findings: Findings, context: FindingsContext): FoundFacts {
  const { now } = context;
  const row: Enrichment = { ...before };
  if (findings.place) applyPlace(row, findings.place);
  const lists = findings.lists && applyLists(row, findings.lists, context);
  const isAnswered = [
    findings.reverse && applyReverse(row, findings.reverse, context),
    findings.reputation && applyReputation(row, findings.reputation, context),
    lists?.isJudged,
  ];
  if (isAnswered.includes(true) || (findings.place && isPlaced(row))) {
    row.enriched_at ??= now;
    row.updated_at = now;
  }
  row.priority = 2;
  row.due_at = new Date(Math.min(row.ptr_due_at.getTime(), row.lists_due_at.getTime(), ratingDue(row, findings)));
  return { row, lists: lists?.results, isChanged: judgedBy(row) !== judgedBy(before) };
}

/** Where there is no reputation service, its lookup stays due for one that is configured later, and causes none. */
function ratingDue({ abuse_due_at }: Enrichment, { reputation }: Findings): number {
  return reputation?.outcome === 'not_configured' ? Infinity : abuse_due_at.getTime();
}

/** What the data does not contain, the reputation service may have answered: that stays until there is newer data. */
function applyPlace(row: Enrichment, { facts, build }: NonNullable<Findings['place']>): void {
  const isSameData = row.geo_build === build;
  row.country_code = facts.countryCode ?? (isSameData ? row.country_code : null);
  row.country = facts.country ?? (isSameData ? row.country : null);
  row.isp = facts.isp ?? (isSameData ? row.isp : null);
  row.city = facts.city ?? null;
  row.latitude = facts.latitude ?? null;
  row.longitude = facts.longitude ?? null;
  row.asn = facts.asn ?? null;
  row.geo_build = build;
}

function isPlaced({ country_code, latitude, asn }: Enrichment): boolean {
  return country_code !== null || latitude !== null || asn !== null;
}

/**
 * True when there was an answer. A name that could not be looked up in turn makes half an answer, which is asked again
 * soon.
 */
function applyReverse(row: Enrichment, fact: ReverseFact, { now, chance }: FindingsContext): boolean {
  const name = fact.outcome === 'found' ? fact.names[0] : undefined;
  const isHalf = name?.confirmed === null;
  if (fact.outcome === 'none') Object.assign(row, { hostname: null, ptr_state: 'none', ptr_at: now });
  if (name && !(isHalf && isKnown(row, name.name))) {
    const ptr_state = name.confirmed === null ? 'unchecked' : name.confirmed ? 'confirmed' : 'unconfirmed';
    Object.assign(row, { hostname: name.name, ptr_state, ptr_at: now });
  }
  const isFailed = fact.outcome === 'failed' || isHalf;
  const end: LookupEnd = { kind: isFailed ? 'failed' : fact.outcome === 'not_public' ? 'never' : 'answered' };
  row.ptr_tries = isFailed ? row.ptr_tries + 1 : 0;
  row.ptr_due_at = nextLookup('ptr', end, { row, tries: row.ptr_tries, now, chance });
  return fact.outcome === 'none' || name !== undefined;
}

/** Whether that same name was found to resolve back before. */
function isKnown({ hostname, ptr_state }: Enrichment, name: string): boolean {
  return hostname === name && (ptr_state === 'confirmed' || ptr_state === 'unconfirmed');
}

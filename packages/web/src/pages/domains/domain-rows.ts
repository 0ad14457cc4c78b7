import {
  confidenceOfRate,
  type BodyOf,
  type ConfidenceBody,
  type dashboardOverview,
  type listDomains,
} from '@dmarc-ledger/api/answers';
import type { PublishedPolicy } from '@dmarc-ledger/queries';
import { HEALTHY, itemsWithoutScore, type ItemDomain } from '@dmarc-ledger/scoring';
import { publishedPolicy, type ShownPolicy } from '../../texts/policy.ts';
import type { DomainsQuery } from './domains-query.ts';

type Monitored = BodyOf<typeof listDomains>['domains'][number];
type Card = BodyOf<typeof dashboardOverview>['domain_cards'][number] & Pick<ShownPolicy, 'isUnpublished' | 'isBroken'>;

/** A domain as the list shows it: monitored, with reports, or both. */
export interface DomainRow {
  domain: string;
  monitored?: Monitored | undefined;
  /** Absent without reports. */
  card?: Card | undefined;
  /** Absent where neither a report nor a check says it. */
  policy?: ShownPolicy | undefined;
  /** The most urgent open item, and how many are open; absent where none is. */
  issue?: { title: string; severity: string; count: number } | undefined;
  /** True if reporters send nothing here, as our host has not accepted reports about the domain. */
  isForbidden: boolean;
  /** In the rate of the card. */
  confidence?: ConfidenceBody | undefined;
}

interface RowFacts {
  monitored: readonly Monitored[];
  cards: readonly Card[];
  /** What checks say of domains, with and without reports. */
  published: ReadonlyMap<string, PublishedPolicy>;
  watched: readonly ItemDomain[];
  confidences: ReadonlyMap<string, ConfidenceBody>;
}

/** Joins the monitored domains with those that have reports. */
export function domainRows({ monitored, cards, published, watched, confidences }: RowFacts): DomainRow[] {
  const findings = new Map(watched.map((each) => [each.domain, each]));
  const rows = monitored.map((row) => withoutReports(row, published.get(row.domain), findings.get(row.domain)));
  const byName = new Map(rows.map((row) => [row.domain, row]));
  for (const card of cards) {
    const { domain, compliance_rate: rate, total_messages: messages } = card;
    const known = confidences.get(domain);
    byName.set(domain, {
      domain,
      monitored: byName.get(domain)?.monitored,
      card,
      policy: card,
      issue: issueOf(card.top_issue, card.top_issue_severity, card.action_count),
      isForbidden: isForbidden(published.get(domain)),
      confidence: known && confidenceOfRate({ rate, messages }, known),
    });
  }
  return [...byName.values()];
}

function withoutReports(
  monitored: Monitored,
  published: PublishedPolicy | undefined,
  watched: ItemDomain | undefined,
): DomainRow {
  const { domain } = monitored;
  const items = watched ? itemsWithoutScore(watched) : [];
  const issue = issueOf(items[0]?.title, items[0]?.severity, items.length);
  const policy = published && publishedPolicy(published);
  return { domain, monitored, policy, issue, isForbidden: isForbidden(published) };
}

function isForbidden(published: PublishedPolicy | undefined): boolean {
  return published?.permissionMissing !== undefined;
}

function issueOf(title = '', severity = '', count = 0): DomainRow['issue'] {
  return title === '' ? undefined : { title, severity, count };
}

/** Whether a domain scores low or has an open item; the overview counts those that have a score. */
export function needsAttention({ card, issue }: DomainRow): boolean {
  return issue !== undefined || (card !== undefined && card.score < HEALTHY);
}

type Sorts = { [name in DomainsQuery['sort_by']]: (row: DomainRow) => number | string };

/** A domain without reports comes last when its score is sorted upwards, as there is nothing to compare. */
const valueOf: Sorts = {
  domain: ({ domain }) => domain,
  score: ({ card }) => card?.score ?? Infinity,
  compliance: ({ card }) => card?.compliance_rate ?? Infinity,
  messages: ({ card }) => card?.total_messages ?? 0,
  items: ({ issue }) => issue?.count ?? 0,
};

/** Ties are settled by name, whatever the direction. */
export function sortRows(
  rows: readonly DomainRow[],
  { sort_by, sort_dir }: Pick<DomainsQuery, 'sort_by' | 'sort_dir'>,
) {
  const value = valueOf[sort_by];
  const sign = sort_dir === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => sign * compare(value(a), value(b)) || compare(a.domain, b.domain));
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

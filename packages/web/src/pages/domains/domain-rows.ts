import {
  confidenceOfRate,
  type BodyOf,
  type ConfidenceBody,
  type dashboardOverview,
  type listDomains,
} from '@dmarc-ledger/api/answers';
import type { DomainsQuery } from './domains-query.ts';

/** A domain as the list shows it: monitored, with reports, or both. */
export interface DomainRow {
  domain: string;
  monitored?: BodyOf<typeof listDomains>['domains'][number] | undefined;
  /** Absent without reports. */
  card?: (BodyOf<typeof dashboardOverview>['domain_cards'][number] & { isUnpublished: boolean }) | undefined;
  /** In the rate of the card. */
  confidence?: ConfidenceBody | undefined;
}

/** Joins the monitored domains with those that have reports. */
export function domainRows(
  monitored: BodyOf<typeof listDomains>['domains'],
  cards: readonly NonNullable<DomainRow['card']>[],
  confidences: ReadonlyMap<string, ConfidenceBody>,
): DomainRow[] {
  const byName = new Map<string, DomainRow>(
    monitored.map((row) => [row.domain, { domain: row.domain, monitored: row }]),
  );
  for (const card of cards) {
    const { domain, compliance_rate: rate, total_messages: messages } = card;
    const known = confidences.get(domain);
    const confidence = known && confidenceOfRate({ rate, messages }, known);
    byName.set(domain, { ...byName.get(domain), domain, card, confidence });
  }
  return [...byName.values()];
}

type Sorts = { [name in DomainsQuery['sort_by']]: (row: DomainRow) => number | string };

/** A domain without reports comes last when its score is sorted upwards, as there is nothing to compare. */
const valueOf: Sorts = {
  domain: ({ domain }) => domain,
  score: ({ card }) => card?.score ?? Infinity,
  compliance: ({ card }) => card?.compliance_rate ?? Infinity,
  messages: ({ card }) => card?.total_messages ?? 0,
  items: ({ card }) => card?.action_count ?? 0,
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

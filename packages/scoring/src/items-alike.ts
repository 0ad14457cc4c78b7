import { alertTypes } from '@dmarc-ledger/vocabulary';
import { urgencyOf, type ActionItem, type ItemSeverity } from './action-items.ts';

/** Open items that ask for the same, of one domain or of many. */
export interface ItemsAlike {
  severity: ItemSeverity;
  /** The title that they have in common, or the kind of the events that they are about. */
  title: string;
  /** How many they are: a domain may have several of them. */
  count: number;
  /** By name. The organization itself is the empty name. */
  domains: string[];
}

const KINDS = new Map<string, string>(alertTypes.map(({ code, label }) => [code, label]));

/**
 * Puts together the open items of domains that ask for the same: those of events by their type, those of records by
 * their title. Most urgent first, then those of most domains, then by title.
 */
export function itemsAlike(items: ReadonlyMap<string, readonly ActionItem[]>): ItemsAlike[] {
  const all = [...items].flatMap(([domain, own]) => own.map((item) => ({ domain, ...item })));
  const kindOf = ({ type, title }: ActionItem) => KINDS.get(type) ?? title;
  return [...Map.groupBy(all, (item) => `${item.severity} ${kindOf(item)}`).values()]
    .map((group) => {
      const first = group[0]!;
      const isOneTitle = group.every(({ title }) => title === first.title);
      return {
        severity: first.severity,
        title: isOneTitle ? first.title : kindOf(first),
        count: group.length,
        domains: [...new Set(group.map(({ domain }) => domain))].toSorted(),
      };
    })
    .toSorted(
      (a, b) =>
        urgencyOf(a.severity) - urgencyOf(b.severity) ||
        b.domains.length - a.domains.length ||
        (a.title < b.title ? -1 : 1),
    );
}

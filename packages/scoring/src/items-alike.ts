import { actionItemSeverities, codesOf } from '@dmarc-ledger/vocabulary';
import type { ActionItem, ItemSeverity } from './action-items.ts';

/** Open items that ask for the same, of one domain or of many. */
export interface ItemsAlike {
  severity: ItemSeverity;
  title: string;
  /** How many they are: a domain may have several of them. */
  count: number;
  /** By name. The organization itself is the empty name. */
  domains: string[];
}

const URGENCY: readonly string[] = codesOf(actionItemSeverities);

/**
 * Puts together the open items of domains that have the same title and severity: most urgent first, then those of most
 * domains, then by title.
 */
export function itemsAlike(items: ReadonlyMap<string, readonly ActionItem[]>): ItemsAlike[] {
  const all = [...items].flatMap(([domain, own]) => own.map(({ severity, title }) => ({ domain, severity, title })));
  return [...Map.groupBy(all, ({ severity, title }) => `${severity} ${title}`).values()]
    .map((group) => {
      const { severity, title } = group[0]!;
      return {
        severity,
        title,
        count: group.length,
        domains: [...new Set(group.map(({ domain }) => domain))].toSorted(),
      };
    })
    .toSorted(
      (a, b) =>
        URGENCY.indexOf(a.severity) - URGENCY.indexOf(b.severity) ||
        b.domains.length - a.domains.length ||
        (a.title < b.title ? -1 : 1),
    );
}

import { rate } from '@dmarc-ledger/vocabulary';

const TLS = { failed: 10, part: 0.02 };
const SPAM = { classified: 1_000, part: 0.1 };
const UNWANTED = /^(?:unwanted|spam|junk)$/i;

/** True if enough TLS sessions failed to raise an event. (rules, events/other-kinds-of-reports) */
export function isFailingTls({ successes, failures }: { successes: number; failures: number }): boolean {
  return failures >= TLS.failed && failures > TLS.part * (failures + successes);
}

/** How a provider sorted some mail: its own categories, with a number of messages for each. */
export type Classification = readonly { category: string; value: number }[];

/**
 * The percentage of mail put into spam, by the largest of these classifications that are bad; undefined when none is.
 * Each row is a measurement of its own and is judged alone.
 */
export function spamRate(rows: readonly (Classification | null)[]): number | undefined {
  const bad = rows.flatMap((row) => {
    const classified = sum(row ?? []);
    const spam = sum((row ?? []).filter(({ category }) => UNWANTED.test(category)));
    return classified >= SPAM.classified && spam > SPAM.part * classified ? [{ classified, spam }] : [];
  });
  const largest = bad.toSorted((a, b) => b.classified - a.classified)[0];
  return largest && rate(largest.spam, largest.classified);
}

function sum(entries: Classification): number {
  return entries.reduce((total, { value }) => total + value, 0);
}

import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { withFilter } from './filter.ts';

/** The days that a score is made of. */
const WINDOW_DAYS = 30;

/** The path of the reports behind the score of a domain: those of the days that end with its newest report day. */
export function reportsOfScore(url: URL, domain: string, newest: Day | null | undefined): string {
  const days = newest ? { from: addDays(newest, 1 - WINDOW_DAYS), to: newest } : {};
  return withFilter(url, '/reports', { domain, ...days });
}

import {
  addDays,
  type Day,
  isDay,
  isDomainName,
  normalizeDomain,
  sourceClasses,
  storableDay,
} from '@dmarc-ledger/vocabulary';
import { z } from 'zod';

const DAYS = ['7', '30', '90', '365'] as const;
const USUAL_DAYS = 30;

/** The one filter that is kept through all pages. A value that makes no sense counts as absent. */
export const filterShape = {
  domain: z.string().transform(normalizeDomain).refine(isDomainName).optional().catch(undefined),
  days: z.enum(DAYS).transform(Number).catch(USUAL_DAYS),
  /** Of a list, which has all days without a number of them. */
  daysOrAll: z.enum(DAYS).transform(Number).optional().catch(undefined),
  class: z.enum(sourceClasses).optional().catch(undefined),
};

export const dayChoices = DAYS.map(Number);

/** A first or last day of a list. */
export const dayText = z.string().refine(isDay).transform(storableDay).optional().catch(undefined);

/** The window that ends today, for a query by days; none for all days. */
export function lastDays(days: number | undefined, today: Day): { from?: Day; to?: Day } {
  return days === undefined ? {} : { from: addDays(today, 1 - days), to: today };
}

const KEPT = ['domain', 'days', 'class'];

/**
 * The path with the filter of the present page, and further parameters. What the path says itself goes before: an empty
 * value ends that part of the filter. Its fragment stays last.
 */
export function withFilter(url: URL, path: string, more: { [name: string]: string | number | undefined } = {}): string {
  const [address = path, fragment] = path.split('#', 2);
  const [bare = address, own = ''] = address.split('?', 2);
  const query = new URLSearchParams(own);
  for (const name of KEPT) {
    const value = url.searchParams.get(name);
    if (value && !query.has(name)) query.set(name, value);
  }
  const kept = withQuery(bare, query, more);
  return fragment === undefined ? kept : `${kept}#${fragment}`;
}

/** The address of this page with other parameters; an undefined one is taken out. */
export function samePage(url: URL, change: { [name: string]: string | number | undefined }): string {
  return withQuery(url.pathname, new URLSearchParams(url.searchParams), change);
}

function withQuery(path: string, query: URLSearchParams, change: { [name: string]: string | number | undefined }) {
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

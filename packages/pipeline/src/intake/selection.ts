import type { Refusal } from '@dmarc-ledger/vocabulary';
import type { OtherReading } from './read-other.ts';

/** The reports of a delivery that an organization stores in its ledger. */
export interface Selection {
  /** By policy domain; null: all. */
  onlyDomains: readonly string[] | null;
  /**
   * For the owner of a shared mailbox: what each other organization takes of it. Null for the others, which must not
   * see each other.
   */
  others: readonly (readonly string[] | null)[] | null;
}

export const EVERYTHING: Selection = { onlyDomains: null, others: null };

/** Taken; assigned to this many others; owned by no organization; or left without a word to its owners. */
export type Choice = { kind: 'taken' | 'nobodys' | 'left' } | { kind: 'assigned'; organizations: number };

/**
 * The outcome of a report about these domains. A report is taken as a whole or not at all, because its figures cover
 * all of its domains.
 */
export function chooseReport({ onlyDomains, others }: Selection, domains: readonly string[]): Choice {
  const isFor = (taken: readonly string[] | null) =>
    taken === null || (domains.length > 0 && domains.every((domain) => taken.includes(domain)));
  if (isFor(onlyDomains)) return { kind: 'taken' };
  if (others === null) return { kind: 'left' };
  const organizations = others.filter(isFor).length;
  return organizations > 0 ? { kind: 'assigned', organizations } : { kind: 'nobodys' };
}

/** The domains that a report of another kind covers: example.com by one on `*.example.com`. */
export function domainsOf(reading: OtherReading): string[] {
  switch (reading.kind) {
    case 'tlsrpt':
      return [...new Set(reading.report.policies.flatMap(({ domain }) => domain ?? []))];
    case 'aprf':
      return [reading.report.dkimDomain.replace(/^\*\./, '')];
    case 'ruf':
      return reading.report.reportedDomain === null ? [] : [reading.report.reportedDomain];
  }
}

export function unknownDomain(domains: readonly string[]): Refusal {
  const about = domains.length > 0 ? domains.join(', ') : 'the domain that it is about';
  return { code: 'unknown_domain', message: `No organization monitors ${about}; add it and replay the delivery.` };
}

import { counted, groupedDigits } from '@dmarc-ledger/vocabulary';
import type { Listing } from './listing-order.ts';
import type { BlocklistSeverity } from './severity.ts';

interface Outline {
  severity: BlocklistSeverity;
  checked: number;
  total: number;
  listings: readonly Listing[];
}

/** The most names in a sentence; further ones are counted. */
const NAMES_SHOWN = 3;

/** Describes the verdict in one or a few sentences. (rules, reputation/blocklist-summary) */
export function summarize(outline: Outline): string {
  const { severity, listings } = outline;
  const { checked, total } = outline;
  switch (severity) {
    case 'unchecked':
      return 'This address has not been checked against blocklists.';
    case 'clean':
      return `${notListed(checked)}.`;
    case 'degraded':
      if (checked === total) return `${notListed(checked)}, but none of those that many receivers enforce answered.`;
      return `Not listed, but only ${groupedDigits(checked)} of ${counted(total, 'blocklist')} answered.`;
    case 'advisory':
      return `Listed on ${namesOf(listings)}. These lists do not affect mail delivery.${agesOf(listings)}`;
    case 'warning':
      return `Listed on ${namesOf(listings)}. Some receivers may reject or filter this mail.${agesOf(listings)}`;
    case 'critical':
      return criticalSummary(outline) + agesOf(listings);
  }
}

function notListed(checked: number): string {
  if (checked === 1) return 'Not listed on the only blocklist that was asked';
  return `Not listed on any of ${groupedDigits(checked)} blocklists`;
}

/** The listings that stand by an earlier check. */
function agesOf(listings: readonly Listing[]): string {
  const unconfirmed = listings.filter((listing) => listing.unconfirmed);
  return unconfirmed.length > 0 ? ` Not confirmed by the last check: ${namesOf(unconfirmed)}.` : '';
}

function criticalSummary({ listings }: Outline): string {
  const others = listings.length - 1;
  const sentences = [`Listed on ${listings[0]?.name}, which many receivers enforce.`];
  const malware = listings.find(({ category }) => category === 'malware_c2');
  if (malware) sentences.push(`${malware === listings[0] ? 'It' : malware.name} marks malware infrastructure.`);
  if (others > 0) sentences.push(others === 1 ? '1 other list agrees.' : `${groupedDigits(others)} other lists agree.`);
  return sentences.join(' ');
}

function namesOf(listings: readonly Listing[]): string {
  const shown = listings.slice(0, NAMES_SHOWN).map(({ name }) => name);
  const hidden = listings.length - shown.length;
  return shown.join(', ') + (hidden > 0 ? ` and ${groupedDigits(hidden)} more` : '');
}

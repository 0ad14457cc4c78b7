import type { SourceFacts } from '@dmarc-ledger/dmarc';
import {
  abuseStatusOf,
  type AddressFacts,
  classificationFacts,
  type IdentifiedSender,
  identifySender,
  isGenericPtr,
  isNamed,
  type MailGroup,
  NEVER_SCORED,
  type PtrFact,
} from '@dmarc-ledger/sources';
import type { Enrichment } from './enrichments.ts';

/** Converts what is known of an address to the facts that the rules take; undefined if nothing was looked up. */
export function addressFacts(row: Enrichment | undefined, sender?: IdentifiedSender | null): AddressFacts | undefined {
  if (!row?.enriched_at) return undefined;
  return {
    abuseScore: row.abuse_score ?? NEVER_SCORED,
    abuseReports: row.abuse_reports ?? undefined,
    abuseCategories: row.abuse_categories ?? undefined,
    usageType: row.usage_type ?? undefined,
    tor: row.is_tor ?? undefined,
    ptr: ptrFact(row),
    sender: sender ?? undefined,
    blocklists: row.verdict ?? undefined,
  };
}

/**
 * The facts that decide the class of a failing record: shared facts, and the sender according to the organization's own
 * mail.
 */
export function sourceFacts(row: Enrichment | undefined, sender?: IdentifiedSender | null): SourceFacts {
  const facts = addressFacts(row, sender);
  if (facts) return classificationFacts(facts);
  // an address that is never looked up has a service all the same, by the mail that it sends
  return sender && isNamed(sender) ? { sender: { forwarder: sender.forwarder, category: sender.category } } : {};
}

/**
 * Identifies the service behind an address by its host name, its network, and the passing identities in an
 * organization's mail.
 */
export function senderOf(row: Enrichment, mail: readonly MailGroup[] = []): IdentifiedSender | null {
  const { address: ip, hostname, ptr_state, asn } = row;
  const confirmed = ptr_state === 'confirmed' ? true : ptr_state === 'unconfirmed' ? false : null;
  const ptr = hostname === null ? [] : [{ name: hostname, confirmed }];
  return identifySender({ ip, ptr, mail, ...(asn !== null && { asn }) }) ?? null;
}

/** All values of a row that judging uses, as a text: rows with equal texts are judged alike. */
export function judgedBy(row: Enrichment): string {
  if (!row.enriched_at) return '';
  const { abuse_score, usage_type, is_tor, ptr_state, hostname, asn, verdict } = row;
  const status = abuseStatusOf(abuse_score ?? NEVER_SCORED);
  return JSON.stringify([status, usage_type, is_tor, ptr_state, hostname, asn, verdict?.tiers, verdict?.hasTorExit]);
}

function ptrFact({ address, hostname, ptr_state }: Enrichment): PtrFact | undefined {
  if (ptr_state === null) return undefined;
  if (hostname === null) return null;
  const confirmed = ptr_state === 'unchecked' ? null : ptr_state === 'confirmed';
  return { name: hostname, confirmed, generic: isGenericPtr(hostname, address) };
}

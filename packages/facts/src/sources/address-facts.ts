import type { SourceFacts } from '@dmarc-ledger/dmarc';
import {
  abuseStatusOf,
  type AddressFacts,
  classificationFacts,
  type IdentifiedSender,
  identifySender,
  isGenericPtr,
  type MailGroup,
  NEVER_SCORED,
  type PtrFact,
} from '@dmarc-ledger/sources';
import type { Enrichment } from './enrichments.ts';

/** What is known of an address, in the words of those who judge; undefined while nothing was looked up. */
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

/** What a failing record is judged by: shared facts, and who the sender is by this organization's own mail. */
export function sourceFacts(row: Enrichment | undefined, sender?: IdentifiedSender | null): SourceFacts {
  const facts = addressFacts(row, sender);
  return facts ? classificationFacts(facts) : {};
}

/** The service behind an address, by its host name, its network, and what passes in an organization's mail from it. */
export function senderOf(row: Enrichment, mail: readonly MailGroup[] = []): IdentifiedSender | null {
  const { address: ip, hostname, ptr_state, asn } = row;
  const confirmed = ptr_state === 'confirmed' ? true : ptr_state === 'unconfirmed' ? false : null;
  const ptr = hostname === null ? [] : [{ name: hostname, confirmed }];
  return identifySender({ ip, ptr, mail, ...(asn !== null && { asn }) }) ?? null;
}

/** Everything of a row that mail is judged by, as a text: two rows with the same text judge alike. */
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

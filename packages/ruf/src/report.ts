import type { Warning } from '@dmarc-ledger/vocabulary';

/**
 * The facts of a failure report about one message, without what identifies a person: of addresses only the domain is
 * kept, and the message itself is not read. (RFC 9991; RFC 6591; RFC 5965)
 */
export interface FailureReport {
  version: string | null;
  userAgent: string | null;
  reportingMta: string | null;
  sourceIp: string | null;
  reportedDomain: string | null;
  /** Epoch seconds. */
  arrivedAt: number | null;
  incidents: number;
  authFailure: AuthFailure | null;
  /** The mechanisms whose identifier did not align; null when the report does not say. */
  identityAlignment: ('dkim' | 'spf')[] | null;
  deliveryResult: DeliveryResult | null;
  dkimDomains: string[];
  dkimSelector: string | null;
  dkimIdentityDomain: string | null;
  mailFromDomain: string | null;
  rcptToDomains: string[];
  authenticationResults: string | null;
  warnings: Warning[];
}

export const authFailures = ['adsp', 'bodyhash', 'revoked', 'signature', 'spf', 'dmarc'] as const;
export type AuthFailure = (typeof authFailures)[number];

export const deliveryResults = ['delivered', 'spam', 'policy', 'reject', 'other'] as const;
export type DeliveryResult = (typeof deliveryResults)[number];

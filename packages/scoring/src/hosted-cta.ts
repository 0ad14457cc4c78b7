import type { CheckStatus, Link } from '@dmarc-ledger/vocabulary';

const NAMES = {
  dmarc: 'DMARC',
  spf: 'SPF',
  dkim: 'DKIM',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS-RPT',
  bimi: 'BIMI',
  dane: 'DANE',
} as const;

/**
 * Offers to publish a record for a domain when the record is missing or broken. (rules,
 * action-items/offer-to-host-a-record)
 */
export function hostedCta(
  protocol: keyof typeof NAMES,
  domain: string,
  { status, hasRecord }: { status: CheckStatus; hasRecord: boolean },
): { label: string; link: Link } | undefined {
  if (status !== 'error') return undefined;
  const label = hasRecord ? `Fix with hosted ${NAMES[protocol]}` : `Set up hosted ${NAMES[protocol]}`;
  return { label, link: { page: 'hosted_record', domain, protocol } };
}

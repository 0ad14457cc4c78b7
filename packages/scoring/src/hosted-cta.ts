import type { CheckStatus, Link, Protocol } from '@dmarc-ledger/vocabulary';

/** The protocols whose record can be hosted, by their names. */
const NAMES: { readonly [protocol in Protocol]?: string } = {
  dmarc: 'DMARC',
  spf: 'SPF',
  dkim: 'DKIM',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS-RPT',
  bimi: 'BIMI',
  dane: 'DANE',
};

/**
 * Offers to publish a record for a domain when the record is missing or broken. (rules,
 * action-items/offer-to-host-a-record)
 */
export function hostedCta(
  protocol: Protocol,
  domain: string,
  { status, hasRecord }: { status: CheckStatus; hasRecord: boolean },
): { label: string; link: Link } | undefined {
  const name = NAMES[protocol];
  if (status !== 'error' || name === undefined) return undefined;
  const label = hasRecord ? `Fix with hosted ${name}` : `Set up hosted ${name}`;
  return { label, link: { page: 'hosted_record', domain, protocol } };
}

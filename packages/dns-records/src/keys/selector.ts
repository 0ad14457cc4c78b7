import type { DkimKeyFact } from '@dmarc-ledger/vocabulary';

/** Names a DKIM key. */
export type Selector = Pick<DkimKeyFact, 'domain' | 'selector' | 'isRetired'>;

/** The name of the record that publishes a key. (RFC 6376, 3.6.2.1) */
export function keyName({ domain, selector }: Pick<Selector, 'domain' | 'selector'>): string {
  return `${selector}._domainkey.${domain}`;
}

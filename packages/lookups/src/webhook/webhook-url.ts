import { isIP } from 'node:net';
import { isDomainName } from '@dmarc-ledger/vocabulary';
import { isPublicAddress } from '../address/public-address.ts';

const MAX_LENGTH = 2_000;

/**
 * Returns the URL if a webhook may be sent to it, else undefined. HTTPS, to a host of two labels or more or a public
 * address, without a user name. Its `href` is a URL that this allows too.
 * @param isOpen also allows HTTP, and private addresses (ALLOW_PRIVATE_ADDRESSES).
 */
export function webhookUrl(text: string, isOpen: boolean): URL | undefined {
  const url = URL.parse(text);
  if (!url || url.href.length > MAX_LENGTH || url.username || url.password || url.hash) return undefined;
  if (url.protocol !== 'https:' && !(isOpen && url.protocol === 'http:')) return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isRight = isIP(host) ? isOpen || isPublicAddress(host) : isDomainName(host);
  return isRight ? url : undefined;
}

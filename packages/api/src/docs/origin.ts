import { requestedHost } from '@dmarc-ledger/vocabulary';

/**
 * The address at which a client has reached the API, for examples that can be pasted: from its `Host`, and the scheme
 * that a proxy in front names.
 */
export function originOf(headers: { readonly [name: string]: string | string[] | undefined }): string {
  const forwarded = headers['x-forwarded-proto'];
  const scheme = forwarded === 'https' ? 'https' : 'http';
  return `${scheme}://${requestedHost(headers['host'])}`;
}

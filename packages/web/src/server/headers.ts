import type { IncomingHttpHeaders } from 'node:http';
import { requestedHost } from '@dmarc-ledger/vocabulary';

/** Headers of every page: it loads nothing from elsewhere, runs nothing inline, and is not framed or cached. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'private, no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin', // with `no-referrer`, browsers send forms without their origin
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Cookie, Accept-Language, Accept-Encoding',
};

/** Headers of the help, which is the same for everybody. What loads and runs is limited as on pages. */
export const helpHeaders = {
  'content-security-policy': pageHeaders['content-security-policy'],
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

/** Headers of a document that is shown by itself. */
export const standaloneHeaders = {
  ...pageHeaders,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
};
/**
 * Headers of a file: it is saved, never shown in the place of a page, and a browser that shows it all the same runs
 * nothing in it.
 */
export function fileHeaders(type: string, filename: string) {
  return {
    ...pageHeaders,
    'content-type': type,
    'content-disposition': `attachment; filename="${filename.replaceAll(/[^\w.-]/g, '_')}"`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  };
}

/** The scheme by which the browser reached this server, or the proxy in front of it. */
export function schemeOf(headers: IncomingHttpHeaders, appUrl: string | undefined): 'http' | 'https' {
  const [forwarded] = String(headers['x-forwarded-proto'] ?? '').split(',');
  if (forwarded?.trim() === 'https') return 'https';
  return appUrl?.startsWith('https:') ? 'https' : 'http';
}

/** The address of this server as the browser sees it. */
export function originOf(headers: IncomingHttpHeaders, appUrl: string | undefined): string {
  if (appUrl) return new URL(appUrl).origin;
  return `${schemeOf(headers, appUrl)}://${requestedHost(headers.host)}`;
}

/** The address that a browser asked for. What stands behind two slashes is no host, also not in links made of it. */
export function addressOf({ url, headers }: { url: string; headers: IncomingHttpHeaders }, appUrl: string | undefined) {
  return new URL(`${originOf(headers, appUrl)}/${url.replace(/^[/\\]*/, '')}`);
}

/**
 * Whether a form was sent by a page of this server. Browsers name the origin of every POST; a request without one is
 * refused. Where the server is reached by HTTPS, a page of the same host by plain HTTP may have been written on the
 * way.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, appUrl: string | undefined): boolean {
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (schemeOf(headers, appUrl) === 'https' && from.protocol !== 'https:' && !isLocal(from)) return false;
  return from.host === host || (appUrl !== undefined && from.host === new URL(appUrl).host);
}

/** Nothing is between this machine and itself, where an operator may reach the server beside the proxy. */
function isLocal({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

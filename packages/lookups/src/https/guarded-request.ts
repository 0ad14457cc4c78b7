import type { Dispatcher } from 'undici';
import { isIP } from 'node:net';
import { isPublicAddress } from '../address/public-address.ts';
import type { DnsClient } from '../dns/dns-client.ts';
import { resolveHost, type HostAddress } from '../dns/resolve-host.ts';
import type { Unanswered } from './fetch-fact.ts';
import { fetchFailure } from './fetch-failure.ts';
import { pinnedConnector } from './pinned-connector.ts';

export interface GuardOptions {
  client: DnsClient;
  /** PEM of the authorities to trust instead of the system's. */
  ca?: string;
  /** Which addresses may be connected to. Default: public ones. One forbidden address rejects the host. */
  isAllowed?: (address: string) => boolean;
  /** Default: 5 s to connect, 15 s in total. */
  connectMs?: number;
  totalMs?: number;
}

export interface GuardedRequest {
  method: 'GET' | 'POST';
  headers: { [name: string]: string };
  body?: string;
  /** Until the headers of the response. Default: the time to connect. */
  headersMs?: number;
  /** The most bytes of a response's body; more is an error. Default: unbounded, if the reader bounds it. */
  maxBody?: number;
}

/**
 * Sends one request to a host that others choose: its name is resolved once, every address must be allowed, and only
 * these are connected to. Redirects are not followed. Nothing is thrown. (rules, lookups/https-to-named-hosts)
 */
export async function guardedRequest<Answer>(
  options: GuardOptions,
  url: URL,
  { method, headers, body, headersMs, maxBody = -1 }: GuardedRequest,
  read: (response: Dispatcher.ResponseData) => Promise<Answer>,
): Promise<Answer | Unanswered> {
  const { client, ca, isAllowed = isPublicAddress, connectMs = 5_000, totalMs = 15_000 } = options;
  const signal = AbortSignal.timeout(totalMs);
  const addresses = literalOf(url.hostname) ?? (await resolveHost(client, url.hostname, signal));
  if (!addresses) return { outcome: 'unreachable', reason: 'dns' };
  if (addresses.length === 0) return { outcome: 'no_host' };
  if (!addresses.every(({ address }) => isAllowed(address))) return { outcome: 'forbidden', reason: 'address' };
  const { buildConnector, Client } = await import('undici'); // most commands send no request
  const connect = pinnedConnector(buildConnector, addresses, { ca, timeoutMs: connectMs });
  const timing = { headersTimeout: headersMs ?? connectMs, bodyTimeout: totalMs };
  const http = new Client(url.origin, { connect, maxResponseSize: maxBody, pipelining: 0, ...timing });
  try {
    const path = `${url.pathname}${url.search}`;
    return await read(await http.request({ method, path, headers, body: body ?? null, signal }));
  } catch (error) {
    return fetchFailure(error);
  } finally {
    await http.destroy();
  }
}

/** An address needs no lookup. */
function literalOf(hostname: string): HostAddress[] | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  return family === 4 || family === 6 ? [{ address, family }] : undefined;
}

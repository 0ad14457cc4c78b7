import { isDomainName } from '@dmarc-ledger/vocabulary';
import { Client, type Dispatcher } from 'undici';
import { isPublicAddress } from '../address/public-address.ts';
import type { DnsClient } from '../dns/dns-client.ts';
import { Gate } from '../dns/gate.ts';
import { fetchFailure } from './fetch-failure.ts';
import type { FetchFact } from './fetch-fact.ts';
import { pinnedConnector } from './pinned-connector.ts';
import { resolveHost } from '../dns/resolve-host.ts';

export interface GuardedFetchOptions {
  client: DnsClient;
  /** Default 443 (MTA_STS_PORT). */
  port?: number;
  /** PEM of the authorities to trust in place of the system's (MTA_STS_CA_FILE). */
  ca?: string;
  /** Which addresses may be connected to. Default: public ones. One that may not refuses the host. */
  isAllowed?: (address: string) => boolean;
  /** Default: 5 s to connect, 5 s to the headers, 15 s in all. */
  connectMs?: number;
  totalMs?: number;
}

/** Fetches a small text from a host whose name a stranger chose. One fetch of a document at a time. */
export interface GuardedFetch {
  /** `path` begins with a slash. Nothing is thrown. */
  fetch(host: string, path: string): Promise<FetchFact>;
}

const MAX_BODY = 64 * 1024;
const PER_PROCESS = { inFlight: 20, perSecond: Infinity, waiting: 1_000 };
const headers = { 'user-agent': 'dmarc-ledger', accept: '*/*', 'accept-encoding': 'identity' };

/** (reliability, section 6; RFC 8461, 3.3: no redirects, no caching, the certificate is valid for the host) */
export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const gate = new Gate(PER_PROCESS);
  const inFlight = new Map<string, Promise<FetchFact>>();
  return {
    fetch(host, path) {
      const origin = originOf(host, options.port ?? 443);
      if (origin === undefined) return Promise.resolve({ outcome: 'forbidden', reason: 'host' });
      const key = `${origin}${path}`;
      const begin = async (): Promise<FetchFact> =>
        (await gate.run(() => fetchOnce(options, host, origin, path))) ?? {
          outcome: 'unreachable',
          reason: 'overloaded',
        };
      const flight = inFlight.get(key) ?? begin().finally(() => inFlight.delete(key));
      inFlight.set(key, flight);
      return flight;
    },
  };
}

/** Undefined for what is no host of two labels or more, or what the URL parser takes for something else: `0x7f.1`. */
function originOf(host: string, port: number): string | undefined {
  const origin = `https://${host}:${port}`;
  return isDomainName(host) && URL.canParse(origin) && new URL(origin).hostname === host ? origin : undefined;
}

async function fetchOnce(
  { client, ca, isAllowed = isPublicAddress, connectMs = 5_000, totalMs = 15_000 }: GuardedFetchOptions,
  host: string,
  origin: string,
  path: string,
): Promise<FetchFact> {
  const signal = AbortSignal.timeout(totalMs);
  const addresses = await resolveHost(client, host, signal);
  if (!addresses) return { outcome: 'unreachable', reason: 'dns' };
  if (addresses.length === 0) return { outcome: 'no_host' };
  if (!addresses.every(({ address }) => isAllowed(address))) return { outcome: 'forbidden', reason: 'address' };
  const connect = pinnedConnector(addresses, { ca, timeoutMs: connectMs });
  const http = new Client(origin, { connect, maxResponseSize: MAX_BODY, headersTimeout: connectMs, pipelining: 0 });
  try {
    return await readResponse(await http.request({ method: 'GET', path, headers, signal }));
  } catch (error) {
    return fetchFailure(error);
  } finally {
    await http.destroy();
  }
}

async function readResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<FetchFact> {
  if (statusCode === 200) {
    const [mediaType = ''] = String(headers['content-type'] ?? '').split(';');
    return {
      outcome: 'fetched',
      body: Buffer.from(await body.arrayBuffer()),
      mediaType: mediaType.trim().toLowerCase(),
    };
  }
  body.on('error', () => {}).destroy();
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const reason = isRedirect ? 'redirect' : statusCode === 404 ? 'not_found' : 'status';
  return { outcome: 'rejected', reason, status: statusCode };
}

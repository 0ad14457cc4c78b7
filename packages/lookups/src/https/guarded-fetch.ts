import { isDomainName } from '@dmarc-ledger/vocabulary';
import type { Dispatcher } from 'undici';
import { FairGate } from '../dns/fair-gate.ts';
import { Gates } from '../dns/gates.ts';
import type { FetchFact } from './fetch-fact.ts';
import { guardedRequest, type GuardOptions } from './guarded-request.ts';

/** Trusted authorities: MTA_STS_CA_FILE. */
export interface GuardedFetchOptions extends GuardOptions {
  /** Default 443 (MTA_STS_PORT). */
  port?: number;
}

/** Fetches a small text from a host that others choose. A document is fetched once at a time. */
export interface GuardedFetch {
  /** `path` begins with a slash. Nothing is thrown. */
  fetch(host: string, path: string): Promise<FetchFact>;
}

const MAX_BODY = 64 * 1024;
const PER_PROCESS = { inFlight: 20, waiting: 1_000 };
const PER_OWNER = { inFlight: 5, perSecond: Infinity, waiting: 200 };
const headers = { 'user-agent': 'dmarc-ledger', accept: '*/*', 'accept-encoding': 'identity' };

/**
 * Creates the fetcher. (rules, lookups/https-to-named-hosts; RFC 8461, 3.3: no redirects, no caching, the certificate
 * is valid for the host)
 */
export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const all = new FairGate(PER_PROCESS);
  const owners = new Gates(PER_OWNER);
  const inFlight = new Map<string, Promise<FetchFact>>();
  return {
    fetch(host, path) {
      const origin = originOf(host, options.port ?? 443);
      if (origin === undefined) return Promise.resolve({ outcome: 'forbidden', reason: 'host' });
      const url = new URL(path, origin);
      const ask = () => guardedRequest(options, url, { method: 'GET', headers, maxBody: MAX_BODY }, readResponse);
      const owner = options.client.ownerOf(host);
      const begin = async (): Promise<FetchFact> =>
        (await owners.of(owner).run(() => all.run(owner, ask))) ?? { outcome: 'unreachable', reason: 'overloaded' };
      const flight = inFlight.get(url.href) ?? begin().finally(() => inFlight.delete(url.href));
      inFlight.set(url.href, flight);
      return flight;
    },
  };
}

/** Undefined for a name with fewer than two labels, or one that the URL parser reads differently: `0x7f.1`. */
function originOf(host: string, port: number): string | undefined {
  const origin = `https://${host}:${port}`;
  return isDomainName(host) && URL.canParse(origin) && new URL(origin).hostname === host ? origin : undefined;
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

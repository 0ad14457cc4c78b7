import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import { dnsServer, httpsServer, resolverServer, type DnsServer, type HttpsServer } from '@dmarc-ledger/testkit';
import type { Ask } from '@dmarc-ledger/dns-records';
import { askDns } from '../../src/index.ts';
import { othersRecords } from './others.ts';
import type { Published } from './published.ts';

/** Authoritative servers, a validating resolver and a host for pages, with all that these domains publish. */
export interface RealDns extends AsyncDisposable {
  knot: DnsServer;
  https: HttpsServer;
  askDns(options?: { isValidating?: boolean }): (signal: AbortSignal) => Ask;
}

const NEVER_SLOW = { inFlight: 50, perSecond: Infinity };

export async function realDns(published: readonly Published[]): Promise<RealDns> {
  const zones = zonesOf(published);
  const signed = published.filter(({ isSigned }) => isSigned).map(({ domain }) => domain);
  const knot = await dnsServer(zones, { signed, alsoAt: ['127.0.0.2'] });
  const trustAnchors = (await Promise.all(signed.map((zone) => knot.trustAnchors(zone)))).flat();
  const resolver = await resolverServer({ upstream: knot, zones: Object.keys(zones), trustAnchors });
  const hosts = [...published.map(({ domain }) => `mta-sts.${domain}`), 'logo.test', 'good.com'];
  const trusted = hosts.filter((host) => host !== 'mta-sts.old.com');
  const https = await httpsServer(trusted, Object.assign({}, ...published.map(({ pages }) => pages)));
  https.pages['logo.test/good.pem'] = https.certificate;
  const client = openDnsClient({
    servers: [resolver],
    timeoutMs: 5_000,
    isAllowedServer: () => true,
    perDirectServer: NEVER_SLOW,
  });
  const search = { client, port: knot.port, isAllowed: () => true };
  const { port, ca } = https;
  const fetching = guardedFetch({ client, port, ca, isAllowed: () => true, connectMs: 5_000, totalMs: 10_000 });
  return {
    knot,
    https,
    askDns:
      ({ isValidating = true } = {}) =>
      (signal) =>
        askDns({ dns: client, search, https: fetching, isValidating }, signal),
    async [Symbol.asyncDispose]() {
      await Promise.all([knot, resolver, https].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

/** Every zone is on two servers. */
function zonesOf(published: readonly Published[]) {
  const records = new Map<string, string[]>();
  const put = (zone: string, lines: readonly string[]) =>
    records.set(zone, [...(records.get(zone) ?? ['@ NS ns2.test.']), ...lines]);
  for (const { domain, within, records: lines = [] } of published) if (within === undefined) put(domain, lines);
  for (const [zone, lines] of Object.entries(othersRecords)) put(zone, lines);
  return Object.fromEntries([...records].map(([zone, lines]) => [zone, lines.join('\n')]));
}

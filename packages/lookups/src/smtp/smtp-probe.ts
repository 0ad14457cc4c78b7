import { isDomainName, present } from '@dmarc-ledger/vocabulary';
import { LRUCache } from 'lru-cache';
import { isPublicAddress } from '../address/public-address.ts';
import type { DnsClient } from '../dns/dns-client.ts';
import { FairGate } from '../dns/fair-gate.ts';
import type { GateLimits } from '../dns/gate.ts';
import { resolveHost } from '../dns/resolve-host.ts';
import { Gates } from '../dns/gates.ts';
import { askChain } from './ask-chain.ts';
import { KEPT, MAX_ADDRESSES, usualTimes, type SmtpTimes } from './limits.ts';
import type { ProbeFact, ProbeFailure } from './probe-fact.ts';

export interface SmtpProbeOptions {
  client: DnsClient;
  /** Default 25 (SMTP_PROBE_PORT). */
  port?: number;
  /** Which addresses may be connected to. Default: public ones. One forbidden address rejects the host. */
  isAllowed?: (address: string) => boolean;
  /** Default: 5 s to connect, 6 s for each reply, 12 s in total. */
  times?: Partial<SmtpTimes>;
  /** Limits of each address. Default 2 in flight, 1 in a second, 10 waiting. */
  perAddress?: GateLimits;
  /** How long a host's certificates are cached, in milliseconds. Default: an hour; a minute for a recent result. */
  keptMs?: number;
  recentMs?: number;
}

/** Reads the certificates of mail servers that others choose. Each host at most once an hour, over all callers. */
export interface SmtpProbe {
  /** Nothing is thrown. `isRecent`: read again unless that was within the last minute. */
  ask(host: string, options?: { isRecent: boolean }): Promise<ProbeFact>;
}

const PER_PROCESS = { inFlight: 20, waiting: 1_000 };
/** One domain may name many servers, all of them slow. */
const PER_OWNER = { inFlight: 5, perSecond: Infinity, waiting: 100 };
/** Many names may lead to one server. */
const PER_ADDRESS = { inFlight: 2, perSecond: 1, waiting: 10 };
/** Outcomes caused by this process: retried at the next request. */
const PASSING = new Set<ProbeFailure>(['dns', 'overloaded']);

export function smtpProbe(options: SmtpProbeOptions): SmtpProbe {
  const turns: Turns = {
    all: new FairGate(PER_PROCESS),
    byOwner: new Gates(PER_OWNER),
    byAddress: new Gates(options.perAddress ?? PER_ADDRESS),
  };
  const { keptMs = KEPT.ms, recentMs = KEPT.recentMs } = options;
  const kept = new LRUCache<string, ProbeFact>({
    max: KEPT.hosts,
    maxSize: KEPT.bytes,
    sizeCalculation: weightOf,
    ttl: keptMs,
    ignoreFetchAbort: true, // callers get an answer even if it does not fit into the cache
    async fetchMethod(host, _, { options: keeping }) {
      const fact = await probe(options, turns, host);
      if (fact.outcome === 'unprobed' && PASSING.has(fact.reason)) keeping.ttl = 1;
      return fact;
    },
  });
  return {
    async ask(host, { isRecent } = { isRecent: false }) {
      const forceRefresh = isRecent && keptMs - kept.getRemainingTTL(host) >= recentMs;
      return (await kept.fetch(host, { forceRefresh })) ?? unknown('overloaded');
    },
  };
}

interface Turns {
  all: FairGate;
  byOwner: Gates;
  byAddress: Gates;
}

const unknown = (reason: ProbeFailure): ProbeFact => ({ outcome: 'unprobed', reason });

/** All addresses must be allowed, and only these are connected to: the name is not resolved a second time. */
async function probe(
  { client, port = 25, isAllowed = isPublicAddress, times }: SmtpProbeOptions,
  turns: Turns,
  host: string,
): Promise<ProbeFact> {
  if (!isDomainName(host)) return unknown('forbidden');
  const within = { ...usualTimes, ...times };
  const addresses = await resolveHost(client, host, AbortSignal.timeout(within.totalMs));
  if (!addresses) return unknown('dns');
  if (addresses.length === 0) return unknown('no_address');
  if (!addresses.every(({ address }) => isAllowed(address))) return unknown('forbidden');
  const owner = client.ownerOf(host);
  const facts = await Promise.all(
    addresses.slice(0, MAX_ADDRESSES).map(async ({ address }): Promise<ProbeFact> => {
      const begin = () => turns.all.run(owner, () => askChain({ host, address, port }, within));
      const beginThere = () => turns.byAddress.of(address).run(begin);
      return (await turns.byOwner.of(owner).run(beginThere)) ?? unknown('overloaded');
    }),
  );
  const chains = facts.flatMap((fact) => (fact.outcome === 'presented' ? fact.chains : []));
  return chains.length > 0 ? { outcome: 'presented', chains } : present(facts[0]);
}

/** Estimates the bytes of memory of a fact. */
function weightOf(fact: ProbeFact): number {
  const chains = fact.outcome === 'presented' ? fact.chains : [];
  return chains.flat().reduce((sum, { length }) => sum + length + 200, 400);
}

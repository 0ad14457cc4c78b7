import { isDomainName, present } from '@dmarc-ledger/vocabulary';
import { LRUCache } from 'lru-cache';
import { isPublicAddress } from '../address/public-address.ts';
import type { DnsClient } from '../dns/dns-client.ts';
import { Gate, type GateLimits } from '../dns/gate.ts';
import { resolveHost } from '../dns/resolve-host.ts';
import { ServerGates } from '../dns/server-gates.ts';
import { askChain } from './ask-chain.ts';
import { KEPT, MAX_ADDRESSES, usualTimes, type SmtpTimes } from './limits.ts';
import type { ProbeFact, ProbeFailure } from './probe-fact.ts';

export interface SmtpProbeOptions {
  client: DnsClient;
  /** Default 25 (SMTP_PROBE_PORT). */
  port?: number;
  /** Which addresses may be connected to. Default: public ones. One that may not refuses the host. */
  isAllowed?: (address: string) => boolean;
  /** Default: 5 s to connect, 6 s to each reply, 12 s in all. */
  times?: Partial<SmtpTimes>;
  /** Of each address. Default 2 in flight, 1 in a second, 10 waiting. */
  perAddress?: GateLimits;
  /** How long what a host showed stands, in milliseconds. Default: an hour; a minute for one who wants it recent. */
  keptMs?: number;
  recentMs?: number;
}

/** Asks mail servers, whose names strangers chose, for their certificates. Each host once in an hour, whoever asks. */
export interface SmtpProbe {
  /** Nothing is thrown. `isRecent`: asked again unless that was within the last minute. */
  ask(host: string, options?: { isRecent: boolean }): Promise<ProbeFact>;
}

const PER_PROCESS = { inFlight: 20, perSecond: Infinity, waiting: 1_000 };
/** Many names may lead to one server. */
const PER_ADDRESS = { inFlight: 2, perSecond: 1, waiting: 10 };
/** Ends that are ours: to be tried again as soon as anyone asks. */
const PASSING = new Set<ProbeFailure>(['dns', 'overloaded']);

export function smtpProbe(options: SmtpProbeOptions): SmtpProbe {
  const gates = { all: new Gate(PER_PROCESS), byAddress: new ServerGates(options.perAddress ?? PER_ADDRESS) };
  const { keptMs = KEPT.ms, recentMs = KEPT.recentMs } = options;
  const kept = new LRUCache<string, ProbeFact>({
    max: KEPT.hosts,
    maxSize: KEPT.bytes,
    sizeCalculation: weightOf,
    ttl: keptMs,
    ignoreFetchAbort: true, // who asks has an answer, also when there is no room to keep it
    async fetchMethod(host, _, { options: keeping }) {
      const fact = await probe(options, gates, host);
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

interface Gates {
  all: Gate;
  byAddress: ServerGates;
}

const unknown = (reason: ProbeFailure): ProbeFact => ({ outcome: 'unprobed', reason });

/** All addresses must be allowed, and those of them are connected to: no name is looked up a second time. */
async function probe(
  { client, port = 25, isAllowed = isPublicAddress, times }: SmtpProbeOptions,
  gates: Gates,
  host: string,
): Promise<ProbeFact> {
  if (!isDomainName(host)) return unknown('forbidden');
  const within = { ...usualTimes, ...times };
  const addresses = await resolveHost(client, host, AbortSignal.timeout(within.totalMs));
  if (!addresses) return unknown('dns');
  if (addresses.length === 0) return unknown('no_address');
  if (!addresses.every(({ address }) => isAllowed(address))) return unknown('forbidden');
  const facts = await Promise.all(
    addresses.slice(0, MAX_ADDRESSES).map(async ({ address }): Promise<ProbeFact> => {
      const begin = () => gates.all.run(() => askChain({ host, address, port }, within));
      return (await gates.byAddress.of(address).run(begin)) ?? unknown('overloaded');
    }),
  );
  const chains = facts.flatMap((fact) => (fact.outcome === 'presented' ? fact.chains : []));
  return chains.length > 0 ? { outcome: 'presented', chains } : present(facts[0]);
}

/** About how many bytes of memory a fact takes. */
function weightOf(fact: ProbeFact): number {
  const chains = fact.outcome === 'presented' ? fact.chains : [];
  return chains.flat().reduce((sum, { length }) => sum + length + 200, 400);
}

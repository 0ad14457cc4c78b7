import { openDnsClient } from '@dmarc-ledger/lookups';
import { faultDns, reputationServer, type FaultDns, type ReputationReply } from '@dmarc-ledger/testkit';
import { labelsOf } from './address.ts';
import { lists } from './lists.ts';
import type { Servers } from './servers.ts';

/** A world of few addresses whose facts a test changes. The client caches no answer. */
export interface ChangingWorld extends Pick<Servers, 'dns' | 'reputation'>, AsyncDisposable {
  /** The only list that works; no code: not listed. */
  list(ip: string, code?: string): void;
  /** The name of an address, and whether it resolves back. */
  name(ip: string, host: string): void;
  score(ip: string, score: number): void;
}

export async function startChanging(): Promise<ChangingWorld> {
  const zone = lists.find(({ id }) => id === 'cop')!.zone;
  const server = await faultDns({ [`2.0.0.127.${zone}`]: records('A', `2.0.0.127.${zone}`, '127.0.0.2') });
  const replies: { [ip: string]: ReputationReply } = { '*': { status: 422 } };
  const reputation = await reputationServer(replies);
  const put = (name: string, behaviour: FaultDns['scenario'][string]) => void (server.scenario[name] = behaviour);
  return {
    dns: openDnsClient({ servers: [server], timeoutMs: 5_000, cacheEntries: 0 }),
    reputation,
    list(ip, code) {
      const name = `${labelsOf({ ip, family: 4 })}.${zone}`;
      put(name, code ? records('A', name, code) : { rcode: 3 });
    },
    name(ip, host) {
      const pointer = `${labelsOf({ ip, family: 4 })}.in-addr.arpa`;
      put(pointer, records('PTR', pointer, host));
      put(host, records('A', host, ip));
    },
    score(ip, score) {
      replies[ip] = { data: { abuseConfidenceScore: score, totalReports: 3 } };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await reputation[Symbol.asyncDispose]();
    },
  };
}

function records(type: 'A' | 'PTR', name: string, data: string) {
  return ({ type: asked }: { type: string }) => (asked === type ? { answers: [{ type, name, ttl: 300, data }] } : {});
}

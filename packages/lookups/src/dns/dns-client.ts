import { isPublicAddress } from '../address/public-address.ts';
import {
  defaultOptions,
  directLimits,
  KEPT_FOR_RESOLVERS,
  ownerLimits,
  processLimits,
  withDefaults,
  type DnsClientOptions,
} from './client-options.ts';
import type { DnsFact } from './dns-fact.ts';
import { encodableName } from './encodable-name.ts';
import { FactCache } from './fact-cache.ts';
import { FairGate } from './fair-gate.ts';
import { followAliases } from './follow-aliases.ts';
import { ABORTED, orAborted } from './or-aborted.ts';
import { ownerOf } from './owner-of.ts';
import type { RecordType } from './record.ts';
import { ServerAsker } from './server-asker.ts';
import { serverText, type ServerAddress } from './server-address.ts';
import { SilenceGuard } from './silence-guard.ts';
import { SlowOwners } from './slow-owners.ts';

export interface AskOptions {
  /** The caller stops waiting; the question continues for other callers. */
  signal?: AbortSignal;
  /** Do not use a cached fact; the answer is cached nevertheless. */
  fresh?: boolean;
}

/** Queries the DNS. Every outcome is a fact; nothing is thrown. Identical questions in flight are sent once. */
export interface DnsClient {
  /** Queries the resolvers (RD=1), and follows aliases. */
  ask<Type extends RecordType>(name: string, type: Type, options?: AskOptions): Promise<DnsFact<Type>>;
  /** Queries this server only (RD=0), for its own data. An alias that leads elsewhere is its answer. */
  askDirectly<Type extends RecordType>(
    server: ServerAddress,
    name: string,
    type: Type,
    options?: AskOptions,
  ): Promise<DnsFact<Type>>;
  /** The owner of a name: what is limited for each owner is shared by all of its names. */
  ownerOf(name: string): string;
}

export function openDnsClient(options: DnsClientOptions): DnsClient {
  return new Client(options);
}

class Client implements DnsClient {
  readonly #servers: readonly ServerAddress[];
  readonly #isAllowedServer: (address: string) => boolean;
  readonly #cache: FactCache;
  readonly #inFlight = new Map<string, Promise<DnsFact>>();
  readonly #organizationalDomain: (name: string) => string;
  readonly #resolvers: ServerAsker;
  readonly #directly: ServerAsker;

  constructor(given: DnsClientOptions) {
    const options = withDefaults(given, defaultOptions);
    const { servers, isAllowedServer = isPublicAddress, now = () => performance.now() } = options;
    const limits = withDefaults(options.limits, processLimits);
    const slow = new SlowOwners(options.timeoutMs);
    const isSlow = (owner: string) => slow.isSlow(owner);
    const shared = { gate: new FairGate(limits, isSlow), silence: new SilenceGuard(now), slow };
    this.#servers = servers;
    this.#isAllowedServer = isAllowedServer;
    this.#cache = new FactCache(options.cacheEntries, now);
    this.#organizationalDomain = options.organizationalDomain;
    const perOwner = withDefaults(options.perOwner, ownerLimits);
    this.#resolvers = new ServerAsker(options, shared, {
      perOwner,
      perServer: withDefaults(options.perServer, limits),
    });
    this.#directly = new ServerAsker(options, shared, {
      perOwner,
      perServer: withDefaults(options.perDirectServer, directLimits),
      together: new FairGate({ ...limits, inFlight: Math.ceil(limits.inFlight * (1 - KEPT_FOR_RESOLVERS)) }, isSlow),
    });
  }

  async ask<Type extends RecordType>(text: string, type: Type, options: AskOptions = {}): Promise<DnsFact<Type>> {
    if (this.#servers.length === 0) return { outcome: 'network', detail: 'no resolver is configured' };
    const askOne = (name: string) => this.#resolvers.ask({ name, type, recursion: true }, this.#servers);
    return this.#once({ text, type, place: '' }, options, (name) => followAliases(name, askOne));
  }

  async askDirectly<Type extends RecordType>(
    server: ServerAddress,
    text: string,
    type: Type,
    options: AskOptions = {},
  ): Promise<DnsFact<Type>> {
    const place = serverText(server);
    if (!this.#isAllowedServer(server.address))
      return { outcome: 'forbidden_server', detail: 'not to be asked', server: place };
    const ask = (name: string) => this.#directly.ask({ name, type, recursion: false }, [server]);
    return this.#once({ text, type, place }, options, ask);
  }

  ownerOf(name: string): string {
    return ownerOf(name, this.#organizationalDomain);
  }

  /** Returns the cached fact, joins a question in flight, or sends a new one. */
  async #once<Type extends RecordType>(
    { text, type, place }: { text: string; type: Type; place: string },
    { signal, fresh }: AskOptions,
    ask: (name: string) => Promise<DnsFact>,
  ): Promise<DnsFact<Type>> {
    const name = text === '.' && type === 'NS' ? '' : encodableName(text); // the root has no labels
    if (name === undefined) return { outcome: 'invalid_name', detail: 'the name cannot be encoded in a DNS message' };
    const key = `${type} ${name} ${place}`;
    const kept = fresh ? undefined : this.#cache.get(key);
    if (!kept && signal?.aborted) return ABORTED; // nothing is sent for a caller that has left
    const fact = kept ?? (await orAborted(this.#inFlight.get(key) ?? this.#begin(key, ask(name)), signal));
    return fact as DnsFact<Type>; // the key contains the type
  }

  #begin(key: string, asked: Promise<DnsFact>): Promise<DnsFact> {
    const flight = asked
      .then((fact) => {
        this.#cache.set(key, fact);
        return fact;
      })
      .finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, flight);
    return flight;
  }
}

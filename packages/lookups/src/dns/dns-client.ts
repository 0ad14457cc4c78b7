import { askServer } from './ask-server.ts';
import type { DnsFact } from './dns-fact.ts';
import { encodableName } from './encodable-name.ts';
import { FactCache } from './fact-cache.ts';
import { Gate, type GateLimits } from './gate.ts';
import { MAX_ALIASES } from './limits.ts';
import type { Question } from './query.ts';
import type { RecordType } from './record.ts';
import { serverText, type ServerAddress } from './server-address.ts';
import { ServerGates } from './server-gates.ts';
import { SilenceGuard } from './silence-guard.ts';

export interface DnsClientOptions {
  /** Resolvers, in the order in which they are tried. */
  servers: readonly ServerAddress[];
  /** Of each try (DNS_TIMEOUT_MS). Default 3,000. */
  timeoutMs?: number;
  /** Default 2. */
  tries?: number;
  /** Letters of a name in random case, to be echoed. A few servers cannot do it. Default false. */
  mixCase?: boolean;
  /** Facts kept. Default 50,000; 0: none. */
  cacheEntries?: number;
  /** Of this process. Default 50 in flight, 20,000 waiting. */
  limits?: Partial<GateLimits>;
  /** Of each resolver. Default as many as the process may. */
  perServer?: Partial<GateLimits>;
  /** Of each server that is asked directly. Default 4 in flight, 10 in a second, 500 waiting. */
  perDirectServer?: Partial<GateLimits>;
  /** May this server be asked directly? Its address is chosen by strangers. Default: none may. */
  isAllowedServer?: (address: string) => boolean;
  /** Told of each question that went out, for metrics. */
  onQuery?: (query: { server: string; type: RecordType; outcome: string; ms: number }) => void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

export interface AskOptions {
  /** The caller stops waiting; the question goes on for others who wait for it. */
  signal?: AbortSignal;
  /** Do not take a fact that is kept; the answer is kept all the same. */
  fresh?: boolean;
}

/** Asks the DNS. Every end is a fact; nothing is thrown. Identical questions in flight are one question. */
export interface DnsClient {
  /** Of the resolvers (RD=1), aliases followed. */
  ask<Type extends RecordType>(name: string, type: Type, options?: AskOptions): Promise<DnsFact<Type>>;
  /** Of this server alone (RD=0): what it knows by itself. An alias that leads elsewhere is its answer. */
  askDirectly<Type extends RecordType>(
    server: ServerAddress,
    name: string,
    type: Type,
    options?: AskOptions,
  ): Promise<DnsFact<Type>>;
}

const defaults = { timeoutMs: 3_000, tries: 2, mixCase: false, cacheEntries: 50_000 };
const processLimits: GateLimits = { inFlight: 50, perSecond: Infinity, waiting: 20_000 };
const directLimits: GateLimits = { inFlight: 4, perSecond: 10, waiting: 500 };

export function openDnsClient(options: DnsClientOptions): DnsClient {
  return new Client(options);
}

class Client implements DnsClient {
  readonly #options: DnsClientOptions & typeof defaults;
  readonly #cache: FactCache;
  readonly #inFlight = new Map<string, Promise<DnsFact>>();
  readonly #gate: Gate;
  readonly #resolvers: ServerGates;
  readonly #directServers: ServerGates;
  readonly #silence: SilenceGuard;

  constructor(options: DnsClientOptions) {
    this.#options = { ...defaults, ...options };
    const limits = { ...processLimits, ...options.limits };
    const now = options.now ?? (() => performance.now());
    this.#cache = new FactCache(this.#options.cacheEntries, now);
    this.#silence = new SilenceGuard(now);
    this.#gate = new Gate(limits);
    this.#resolvers = new ServerGates({ ...limits, ...options.perServer });
    this.#directServers = new ServerGates({ ...directLimits, ...options.perDirectServer });
  }

  ask<Type extends RecordType>(name: string, type: Type, options: AskOptions = {}): Promise<DnsFact<Type>> {
    return this.#once(name, type, '', options, (name) => this.#resolve(name, type));
  }

  askDirectly<Type extends RecordType>(
    server: ServerAddress,
    name: string,
    type: Type,
    options: AskOptions = {},
  ): Promise<DnsFact<Type>> {
    const isAllowed = this.#options.isAllowedServer?.(server.address) ?? false;
    const text = serverText(server);
    if (!isAllowed) return Promise.resolve({ outcome: 'forbidden_server', detail: 'not to be asked', server: text });
    return this.#once(name, type, text, options, (name) =>
      this.#tryServers({ name, type, recursion: false }, [server], this.#directServers),
    );
  }

  /** The fact that is kept, or the question on its way, or a new one. */
  async #once<Type extends RecordType>(
    text: string,
    type: Type,
    server: string,
    { signal, fresh }: AskOptions,
    ask: (name: string) => Promise<DnsFact>,
  ): Promise<DnsFact<Type>> {
    const name = encodableName(text);
    if (name === undefined) return { outcome: 'invalid_name', detail: 'the name cannot be put on the wire' };
    const key = `${type} ${name} ${server}`;
    const kept = fresh ? undefined : this.#cache.get(key);
    const fact = kept ?? (await orAborted(this.#inFlight.get(key) ?? this.#begin(key, ask(name)), signal));
    return fact as DnsFact<Type>; // the key holds the type
  }

  #begin(key: string, asked: Promise<DnsFact>): Promise<DnsFact> {
    const flight = asked.then((fact) => {
      this.#cache.set(key, fact);
      return fact;
    });
    this.#inFlight.set(key, flight);
    const land = () => void this.#inFlight.delete(key);
    flight.then(land, land);
    return flight;
  }

  /** Follows an alias that the resolver left open, as one that only knows its own zones does. */
  async #resolve(name: string, type: RecordType): Promise<DnsFact> {
    const { servers } = this.#options;
    if (servers.length === 0) return { outcome: 'network', detail: 'no resolver is configured' };
    const aliases: string[] = [];
    let ttl = Infinity;
    for (let target = name; ;) {
      const fact = await this.#tryServers({ name: target, type, recursion: true }, servers, this.#resolvers);
      if (fact.outcome === 'alias') {
        aliases.push(...fact.aliases);
        ttl = Math.min(ttl, fact.ttl);
        target = fact.target;
        if (aliases.length > MAX_ALIASES || aliases.indexOf(target) < aliases.length - 1)
          return { outcome: 'alias_limit', detail: `more than ${MAX_ALIASES} aliases, or a loop` };
        continue;
      }
      if (aliases.length === 0 || !('aliases' in fact)) return fact;
      const all = { ...fact, aliases: [...aliases, ...fact.aliases] };
      return all.outcome === 'answer' ? { ...all, ttl: Math.min(ttl, all.ttl) } : all;
    }
  }

  /** Silence and a broken way are tried again; what a server says of itself is not, save of another server. */
  async #tryServers(question: Question, servers: readonly ServerAddress[], gates: ServerGates): Promise<DnsFact> {
    let fact: DnsFact | undefined;
    for (let attempt = 0; attempt < this.#options.tries; attempt += 1) {
      const server = servers[attempt % servers.length]!;
      if (fact && isSaid(fact) && servers.length === 1) return fact;
      fact = await this.#through(question, server, gates);
      if (!isWorthAnother(fact, question)) return fact;
    }
    return fact ?? { outcome: 'network', detail: 'no try is allowed' };
  }

  async #through(question: Question, server: ServerAddress, gates: ServerGates): Promise<DnsFact> {
    const { timeoutMs, mixCase, onQuery } = this.#options;
    const text = serverText(server);
    const gate = gates.of(text);
    const ask = async (): Promise<DnsFact> => {
      if (!this.#silence.mayAsk(text)) return { outcome: 'timeout', detail: 'silent for a while', server: text };
      const begin = performance.now();
      const fact = await askServer(question, server, { timeoutMs, mixCase });
      this.#silence.note(text, fact);
      onQuery?.({ server: text, type: question.type, outcome: fact.outcome, ms: performance.now() - begin });
      return fact;
    };
    const fact = await gate.run(() => this.#gate.run(ask));
    return fact ?? { outcome: 'overloaded', detail: 'too many questions wait', server: text };
  }
}

function isSaid({ outcome }: DnsFact): boolean {
  return outcome === 'servfail' || outcome === 'refused' || outcome === 'formerr' || outcome === 'referral';
}

function isWorthAnother(fact: DnsFact, { recursion }: Question): boolean {
  switch (fact.outcome) {
    case 'timeout':
    case 'network':
    case 'malformed':
    case 'servfail':
    case 'refused':
    case 'formerr':
      return true;
    case 'referral':
      return recursion;
    case 'answer':
    case 'nodata':
    case 'nxdomain':
    case 'alias':
    case 'alias_limit':
    case 'invalid_name':
    case 'forbidden_server':
    case 'overloaded':
    case 'aborted':
      return false;
  }
}

async function orAborted(flight: Promise<DnsFact>, signal: AbortSignal | undefined): Promise<DnsFact> {
  if (!signal) return await flight;
  const aborted: DnsFact = { outcome: 'aborted', detail: 'nobody waits any more' };
  if (signal.aborted) return aborted;
  const { promise, resolve } = Promise.withResolvers<DnsFact>();
  const stop = () => resolve(aborted);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([flight, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

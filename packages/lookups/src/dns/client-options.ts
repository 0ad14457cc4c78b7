import type { GateLimits } from './gate.ts';
import type { RecordType } from './record.ts';
import type { ServerAddress } from './server-address.ts';

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
  /** May this server be asked directly? Its address is chosen by strangers. Default: a public one may. */
  isAllowedServer?: (address: string) => boolean;
  /** Told of each question that went out, for metrics. */
  onQuery?: (query: QueryEvent) => void;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** One question to one server, and how it ended. */
export interface QueryEvent {
  server: string;
  type: RecordType;
  outcome: string;
  ms: number;
}

export const defaultOptions = { timeoutMs: 3_000, tries: 2, mixCase: false, cacheEntries: 50_000 };
export const processLimits: GateLimits = { inFlight: 50, perSecond: Infinity, waiting: 20_000 };
export const directLimits: GateLimits = { inFlight: 4, perSecond: 10, waiting: 500 };

/** These options, and the defaults for what is not given; what is undefined is not given. */
export function withDefaults<Options extends object, Defaults extends object>(
  options: Options | undefined,
  defaults: Defaults,
): Options & Defaults {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(given) as Options) }; // less of the same
}

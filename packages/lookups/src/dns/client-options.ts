import type { GateLimits } from './gate.ts';
import { lastLabels } from './owner-of.ts';
import type { RecordType } from './record.ts';
import type { ServerAddress } from './server-address.ts';

export interface DnsClientOptions {
  /** Resolvers, in the order in which they are tried. */
  servers: readonly ServerAddress[];
  /** For each attempt (DNS_TIMEOUT_MS). Default 3,000. */
  timeoutMs?: number;
  /** Default 2. */
  tries?: number;
  /** Sends names in random case, to be echoed. A few servers do not support it. Default false. */
  mixCase?: boolean;
  /** Cached facts. Default 50,000; 0: none. */
  cacheEntries?: number;
  /** Limits of this process. Default 50 in flight, 20,000 waiting. */
  limits?: Partial<GateLimits>;
  /** Limits of each resolver. Default as many as the process may. */
  perServer?: Partial<GateLimits>;
  /**
   * Limits of questions to resolvers about the names of one owner, and of those to name servers. Default 8 in flight,
   * 2,000 waiting.
   */
  perOwner?: Partial<GateLimits>;
  /** The owner of a name. Default: its last two labels. */
  organizationalDomain?: (name: string) => string;
  /** Limits of each server that is queried directly. Default 4 in flight, 10 in a second, 500 waiting. */
  perDirectServer?: Partial<GateLimits>;
  /** Whether this server may be queried directly. Others choose its address. Default: only public ones. */
  isAllowedServer?: (address: string) => boolean;
  /** Called for each question sent, for metrics. */
  onQuery?: (query: QueryEvent) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** One question to one server, and its outcome. */
export interface QueryEvent {
  server: string;
  type: RecordType;
  outcome: string;
  ms: number;
}

export const defaultOptions = {
  timeoutMs: 3_000,
  tries: 2,
  mixCase: false,
  cacheEntries: 50_000,
  organizationalDomain: (name: string) => lastLabels(name, 2),
};
export const processLimits: GateLimits = { inFlight: 50, perSecond: Infinity, waiting: 20_000 };
/** The part of all in flight that only resolvers get: they answer, whatever name servers do. */
export const KEPT_FOR_RESOLVERS = 0.2;
/** As many as two name servers of a zone get, since two are queried at a time. */
export const ownerLimits: GateLimits = { inFlight: 8, perSecond: Infinity, waiting: 2_000 };
export const directLimits: GateLimits = { inFlight: 4, perSecond: 10, waiting: 500 };

/** These options, with defaults for absent or undefined ones. */
export function withDefaults<Options extends object, Defaults extends object>(
  options: Options | undefined,
  defaults: Defaults,
): Options & Defaults {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...(Object.fromEntries(given) as Options) }; // less of the same
}

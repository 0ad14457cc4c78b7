import type { Limiter, LimiterOptions } from './limiter.ts';
import { LocalLimiter } from './local-limiter.ts';
import type { Patience } from './redis/redis-connection.ts';
import { RedisLimiter } from './redis/redis-limiter.ts';

const PATIENCE: Patience = { usual: 50, extended: 1_000 };

/** Receives messages for the operator; a pino logger fits. */
export interface LimiterLog {
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
}

export interface OpenLimiterOptions extends LimiterOptions {
  /** Unset: decisions are made in process. */
  redisUrl?: string;
  /** How long a decision may wait for Redis. */
  patience?: Patience;
  log: LimiterLog;
}

/** Creates a limiter that decides in process. */
export function localLimiter(options: LimiterOptions): Limiter {
  return new LocalLimiter(options);
}

/** Creates the limiter: the only place that chooses between Redis and this process. */
export async function openLimiter({
  redisUrl,
  patience = PATIENCE,
  log,
  ...options
}: OpenLimiterOptions): Promise<Limiter> {
  if (redisUrl === undefined) return localLimiter(options);
  let isDegraded = false;
  const onDegraded = () => {
    isDegraded = true;
    log.warn({ event: 'ratelimit.degraded' }, 'Redis does not answer: limits are kept in process until it does');
  };
  const onRestored = () => {
    if (isDegraded) log.info({ event: 'ratelimit.restored' }, 'limits are shared through Redis again');
    isDegraded = false;
  };
  const limiter = new RedisLimiter({
    ...options,
    redisUrl,
    patience,
    onDegraded,
    onRestored,
  });
  await limiter.open();
  if (!limiter.status().isRedisUp) onDegraded();
  return limiter;
}

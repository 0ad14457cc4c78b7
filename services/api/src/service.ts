import { makeApi, type Caching } from '@dmarc-ledger/api';
import { findRequests, onAccessChange, openDatabase } from '@dmarc-ledger/db';
import { openLimiter, type OpenLimiterOptions } from '@dmarc-ledger/limits';
import type { Logger, Metrics, Tracing } from '@dmarc-ledger/runtime';
import { showApi, showLimits } from './figures.ts';
import { watchCalls } from './watch-calls.ts';

/** Longer than any answer takes; a statement that does not end is ended by the server. */
const STATEMENT_MS = 5_000;
const CONNECTIONS = 10;

/** What a key may ask for within a minute, and how much expensive work of an organization may be under way. */
export type { Caching } from '@dmarc-ledger/api';

export interface LimitSettings {
  ABUSE_LIMIT_PER_MINUTE: number;
  HEAVY_CONCURRENCY: number;
}

export interface ApiOptions {
  databaseUrl: string;
  /** Where limits are shared with other processes; unset: they are this process's own. */
  redisUrl?: string;
  host: string;
  /** 0: whichever is free. */
  port: number;
  log: Logger;
  metrics?: Metrics;
  /** Unset: quotas alone. */
  limits?: LimitSettings;
  /** Unset: as long as the contract allows. */
  caching?: Caching;
  patience?: OpenLimiterOptions['patience'];
  tracing?: Tracing | undefined;
}

export interface RunningApi {
  url: string;
  close(): Promise<void>;
}

/** Serves v1 on a port. It has connections of its own, which end what takes too long, and writes nothing but usage. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { databaseUrl, redisUrl, host, port, log, metrics, limits, caching, patience, tracing } = options;
  const database = openDatabase(databaseUrl, {
    connections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_MS,
    applicationName: 'dmarc-ledger-api',
    onError: (error) =>
      log.warn({ event: 'api.connection_lost', error }, 'an idle connection to the database was lost'),
  });
  const limiter = await openLimiter({
    redisUrl,
    patience,
    abusePerMinute: limits?.ABUSE_LIMIT_PER_MINUTE ?? Infinity,
    heavyConcurrency: limits?.HEAVY_CONCURRENCY ?? Infinity,
    recorded: (orgId, hour) => findRequests(database.db, orgId, hour),
    log,
  });
  if (metrics) showLimits(metrics, limiter);
  const count = metrics ? showApi(metrics) : () => {};
  const api = makeApi({
    db: database.db,
    limiter,
    caching,
    onUsageFault: (error) => log.warn({ event: 'usage.write_failed', error }, 'usage waits to be put on record'),
    observe: watchCalls(log, count, tracing),
  });
  const changes = onAccessChange(database.pool, () => api.forgetKeys());
  const close = async () => {
    await api.close();
    await limiter.close();
    await changes.stop();
    await database.close();
  };
  try {
    return { url: await api.listen({ host, port }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

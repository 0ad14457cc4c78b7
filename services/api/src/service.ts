import { makeApi, type ApiOptions as MakeApiOptions, type Caching } from '@dmarc-ledger/api';
import { onAccessChange } from '@dmarc-ledger/ledger/for-api';
import { findRequests } from '@dmarc-ledger/queries';
import { openLimiter, type OpenLimiterOptions } from '@dmarc-ledger/limits';
import type { Env, limitEnv, Logger, Metrics, Tracing } from '@dmarc-ledger/runtime';
import { showApi, showLimits, showStorage } from './metrics.ts';
import { openStorage } from './storage.ts';
import { watchCalls } from './watch-calls.ts';

export interface ApiOptions {
  databaseUrl: string;
  /** Where limits are shared with other processes; unset: limits of this process. */
  redisUrl?: string | undefined;
  host: string;
  /** 0: any free port. */
  port: number;
  log: Logger;
  metrics?: Metrics | undefined;
  /** Unset: quotas only. */
  limits?: Env<typeof limitEnv>;
  /** Unset: the longest allowed time. (rules, api/freshness) */
  caching?: Caching;
  patience?: OpenLimiterOptions['patience'];
  tracing?: Tracing | undefined;
  /** Answers requests for other paths than the API's, such as the pages on the same port. */
  beside?: MakeApiOptions['beside'];
}

export interface RunningApi {
  url: string;
  close(): Promise<void>;
}

/** Serves v1 on a port. It has its own connections with statement timeouts, and writes nothing but usage. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { databaseUrl, redisUrl, host, port, log, metrics, limits, caching, patience, tracing, beside } = options;
  const storage = openStorage(databaseUrl, log);
  const { db, pool } = storage.access;
  const limiter = await openLimiter({
    redisUrl,
    patience,
    abusePerMinute: limits?.ABUSE_LIMIT_PER_MINUTE ?? Infinity,
    heavyConcurrency: limits?.HEAVY_CONCURRENCY ?? Infinity,
    recorded: (orgId, hour) => findRequests(db, orgId, hour),
    log,
  });
  if (metrics) {
    showStorage(metrics, storage);
    showLimits(metrics, limiter);
  }
  const count = metrics ? showApi(metrics) : () => {};
  const api = makeApi({
    db,
    reads: storage.reads,
    heavyReads: storage.heavyReads,
    limiter,
    caching,
    beside,
    onUsageFault: (error) => log.warn({ event: 'usage.write_failed', error }, 'usage could not be written yet'),
    observe: watchCalls(log, count, tracing),
  });
  const changes = onAccessChange(pool, () => api.forgetKeys());
  const close = async () => {
    await api.close();
    await limiter.close();
    await changes.stop();
    await storage.close();
  };
  try {
    return { url: await api.listen({ host, port }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

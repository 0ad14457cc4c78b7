import { listening, type RunningService, type Use } from '@dmarc-ledger/runtime';
import type { ApiServiceEnv } from './env.ts';
import { startApi, type ApiOptions } from './service.ts';

export type ApiHost = Pick<ApiOptions, 'databaseUrl' | 'redisUrl' | 'log' | 'metrics' | 'tracing' | 'beside'>;

/** Runs the API with these settings, on the database of its host. */
export async function main(env: ApiServiceEnv, host: ApiHost, use: Use): Promise<RunningService> {
  const { databaseUrl, redisUrl, log, metrics, tracing, beside } = host;
  const at = { host: env.HOST, port: env.PORT };
  const start = () =>
    startApi({ databaseUrl, redisUrl, ...at, log, metrics, tracing, beside, limits: env, caching: env });
  const api = use(await listening('PORT', start), (running) => running.close());
  return { address: api.url };
}

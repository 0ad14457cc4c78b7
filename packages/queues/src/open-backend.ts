import type { Backend } from './backend.ts';
import type { QueueLog } from './log.ts';
import { openPostgresBackend } from './postgres-backend.ts';
import { openRedisBackend } from './redis-backend.ts';

export interface BackendOptions {
  redisUrl?: string;
  databaseUrl: string;
  log: QueueLog;
}

/** The one choice between Redis and Postgres. */
export function openBackend({ redisUrl, databaseUrl, log }: BackendOptions): Promise<Backend> {
  return redisUrl ? openRedisBackend(redisUrl, log) : openPostgresBackend(databaseUrl, log);
}

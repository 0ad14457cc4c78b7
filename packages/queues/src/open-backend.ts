import type { Backend } from './backend.ts';
import type { OnQueueError } from './log.ts';
import { openPostgresBackend } from './postgres-backend.ts';
import { openRedisBackend } from './redis-backend.ts';

export interface BackendOptions {
  redisUrl?: string;
  databaseUrl: string;
  onError: OnQueueError;
}

/** The one choice between Redis and Postgres. */
export function openBackend({ redisUrl, databaseUrl, onError }: BackendOptions): Promise<Backend> {
  return redisUrl ? openRedisBackend(redisUrl, onError) : openPostgresBackend(databaseUrl, onError);
}

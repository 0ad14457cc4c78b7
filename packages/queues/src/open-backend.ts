import type { Backend } from './backend.ts';
import type { TellError } from './log.ts';
import { openPostgresBackend } from './postgres-backend.ts';
import { openRedisBackend } from './redis-backend.ts';

export interface BackendOptions {
  redisUrl?: string;
  databaseUrl: string;
  tellError: TellError;
}

/** The one choice between Redis and Postgres. */
export function openBackend({ redisUrl, databaseUrl, tellError }: BackendOptions): Promise<Backend> {
  return redisUrl ? openRedisBackend(redisUrl, tellError) : openPostgresBackend(databaseUrl, tellError);
}

import { Redis } from 'ioredis';

const PATIENCE_MS = 5_000;

/**
 * The settings of the Redis that holds the queue: its version, its eviction policy, and whether it survives a restart.
 */
export interface RedisSettings {
  version: string;
  /** Any policy but `noeviction` loses jobs when memory is short. */
  maxmemoryPolicy: string;
  /** Without it a restart empties the queue, and the sweep has to find all work again. */
  appendOnly: boolean;
}

/** @throws {Error} why Redis does not answer: that of the connection, else that of the command. */
export async function inspectRedis(url: string): Promise<RedisSettings> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let lost: Error | undefined; // the pending command only reports that the connection is closed
  redis.on('error', (error) => (lost ??= error));
  try {
    await redis.connect();
    const info = new Map(
      (await redis.info()).split('\r\n').map((line) => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1)] as const;
      }),
    );
    return {
      version: info.get('redis_version') ?? '',
      maxmemoryPolicy: info.get('maxmemory_policy') ?? '',
      appendOnly: info.get('aof_enabled') === '1',
    };
  } catch (error) {
    throw lost ?? error;
  } finally {
    redis.disconnect();
  }
}

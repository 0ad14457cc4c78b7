import { z } from 'zod';

/** The environment variables of the queues. Unset: they live in the database. */
export const redisEnv = {
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'expected redis://host:port or rediss://host:port' })
    .optional()
    .meta({ secret: true }),
};

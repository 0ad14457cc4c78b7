import { z } from 'zod';

/** What the queues ask of the environment. Unset: they live in the database. */
export const redisEnv = {
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .meta({ secret: true }),
};

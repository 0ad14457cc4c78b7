import { z } from 'zod';

/** The database settings in the environment. Unset: the embedded PostgreSQL under DATA_DIR. */
export const databaseEnv = {
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'expected postgres://user:password@host:port/database' })
    .optional()
    .meta({ secret: true }),
};

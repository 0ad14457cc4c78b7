import { apiEnv, cacheEnv, limitEnv, type Env } from '@dmarc-ledger/runtime';

/** The API's settings in the environment. */
export const apiServiceEnv = { ...apiEnv, ...cacheEnv, ...limitEnv };
export type ApiServiceEnv = Env<typeof apiServiceEnv>;

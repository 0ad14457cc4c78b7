import { apiEnv, cacheEnv, limitEnv, type Env } from '@dmarc-ledger/runtime';

/** What the API reads of the environment. */
export const apiServiceEnv = { ...apiEnv, ...cacheEnv, ...limitEnv };
export type ApiServiceEnv = Env<typeof apiServiceEnv>;

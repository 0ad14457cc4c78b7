import { apiEnv, appEnv, cacheEnv, identityEnv, ingestUrlEnv, type Env } from '@dmarc-ledger/runtime';

/** The settings of the pages in the environment. */
export const webServiceEnv = { ...apiEnv, ...cacheEnv, ...appEnv, ...identityEnv, ...ingestUrlEnv };
export type WebServiceEnv = Env<typeof webServiceEnv>;

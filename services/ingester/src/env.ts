import { mailboxEnv, uploadEnv, type Env } from '@dmarc-ledger/runtime';

/** The environment variables of the ingester. */
export const ingesterEnv = { ...uploadEnv, ...mailboxEnv };
export type IngesterEnv = Env<typeof ingesterEnv>;

import { mailboxEnv, uploadEnv, type Env } from '@dmarc-ledger/runtime';

/** What the ingester reads of the environment. */
export const ingesterEnv = { ...uploadEnv, ...mailboxEnv };
export type IngesterEnv = Env<typeof ingesterEnv>;

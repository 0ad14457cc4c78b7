import { lookupEnv, mailboxEnv, uploadEnv, type Env } from '@dmarc-ledger/runtime';

/** The environment variables of the ingester. */
const { ALLOW_PRIVATE_ADDRESSES } = lookupEnv;
export const ingesterEnv = { ...uploadEnv, ...mailboxEnv, ALLOW_PRIVATE_ADDRESSES };
export type IngesterEnv = Env<typeof ingesterEnv>;

import { lookupEnv, type Env } from '@dmarc-ledger/runtime';

/** What the scheduler reads of the environment. */
export const schedulerEnv = { ENRICHMENT: lookupEnv.ENRICHMENT };
export type SchedulerEnv = Env<typeof schedulerEnv>;

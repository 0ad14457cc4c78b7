import { lookupEnv, type Env } from '@dmarc-ledger/runtime';

/** The environment variables of the scheduler. */
export const schedulerEnv = { ENRICHMENT: lookupEnv.ENRICHMENT };
export type SchedulerEnv = Env<typeof schedulerEnv>;

import type { Retention } from '@dmarc-ledger/ledger';
import type { Env, retentionEnv } from '@dmarc-ledger/runtime';

/** The environment's retention of data, in days; null: for ever. */
export function retentionOf(env: Env<typeof retentionEnv>): Retention {
  const { RETENTION_DAYS: days, RAW_RETENTION_DAYS: rawDays, FAILURE_REPORT_RETENTION_DAYS: failureReportDays } = env;
  return { days, rawDays, failureReportDays };
}

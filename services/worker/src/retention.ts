import type { Retention } from '@dmarc-ledger/ledger';

/** For how many days data are kept, as the environment says it; null: for ever. */
export interface RetentionOptions {
  RETENTION_DAYS: number | null;
  RAW_RETENTION_DAYS: number | null;
  FAILURE_REPORT_RETENTION_DAYS: number | null;
}

export function retentionOf(options: RetentionOptions): Retention {
  const {
    RETENTION_DAYS: days,
    RAW_RETENTION_DAYS: rawDays,
    FAILURE_REPORT_RETENTION_DAYS: failureReportDays,
  } = options;
  return { days, rawDays, failureReportDays };
}

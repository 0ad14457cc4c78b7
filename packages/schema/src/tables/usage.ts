import type { Defaulted } from './columns.ts';

export interface UsageHourTable {
  org_id: string;
  /** Its begin. */
  hour: Date;
  key_id: string;
  requests: number;
  rejected: number;
  errors: number;
}

export interface UsageBatchTable {
  id: string;
  at: Defaulted<Date>;
}

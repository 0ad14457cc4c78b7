import type { Defaulted } from './columns.ts';

export interface UsageHourTable {
  org_id: string;
  /** The begin of the hour. */
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

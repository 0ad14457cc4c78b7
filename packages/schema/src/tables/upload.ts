import type { Defaulted } from './columns.ts';

export interface UploadHourTable {
  org_id: string;
  /** The begin of the hour. */
  hour: Date;
  bytes: Defaulted<number>;
  deliveries: Defaulted<number>;
}

export interface UploadUnderWayTable {
  org_id: string;
  id: string;
  claimed_by: number;
  bytes: number;
  begun_at: Defaulted<Date>;
}

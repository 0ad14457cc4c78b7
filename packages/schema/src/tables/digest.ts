import type { DayColumn, Defaulted } from './columns.ts';

export interface DigestSubscriptionTable {
  org_id: string;
  user_id: string;
  frequency: 'daily' | 'weekly';
  /** Empty: all of the organization. */
  domains: Defaulted<string[]>;
  token: Defaulted<string>;
  due_day: DayColumn;
  due_at: Date;
  hand: 'announced' | 'begun' | null;
  tries: Defaulted<number>;
  sent_day: DayColumn | null;
  error_code: string | null;
}

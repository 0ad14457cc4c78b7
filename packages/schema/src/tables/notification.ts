import type { EventSeverity, NotificationKind } from '@dmarc-ledger/vocabulary';
import type { Defaulted } from './columns.ts';

/** Not tried yet; delivered; the last attempt failed and another follows; no other follows. */
export type NotificationState = 'waiting' | 'delivered' | 'failed' | 'given_up';

export interface DeliveryTargetTable {
  org_id: string;
  id: string;
  kind: NotificationKind;
  address: string;
  secret: Buffer | null;
  types: string[];
  least_severity: EventSeverity;
  enabled: Defaulted<boolean>;
  disabled_code: string | null;
  created_at: Defaulted<Date>;
  added_again_at: Date | null;
  forms: Defaulted<string[]>;
  removed_at: Date | null;
}

export interface EventDeliveryTable {
  org_id: string;
  id: string;
  event_id: string;
  target_id: string;
  severity: EventSeverity;
  title: string;
  message: string;
  state: Defaulted<NotificationState>;
  hand: 'announced' | 'begun' | null;
  tries: Defaulted<number>;
  due_at: Date;
  answer_status: number | null;
  error_code: string | null;
  planned_at: Defaulted<Date>;
  tried_at: Date | null;
  delivered_at: Date | null;
}

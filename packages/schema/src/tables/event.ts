import type { EventSeverity } from '@dmarc-ledger/vocabulary';
import type { DayColumn, Defaulted, Json } from './columns.ts';

export interface EventTable {
  org_id: string;
  id: string;
  type: string;
  severity: EventSeverity;
  /** Empty if the event concerns the whole organization. */
  domain: Defaulted<string>;
  dedup_key: string;
  title: string;
  message: string;
  link: string;
  created_at: Defaulted<Date>;
  graver_at: Date | null;
  resolved_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  delivery_planned: Defaulted<boolean>;
  /** How many more conditions of its type were merged into it. */
  merged: Defaulted<number>;
}

export interface EventConditionTable {
  org_id: string;
  key: string;
  type: string;
  domain: Defaulted<string>;
  severity: EventTable['severity'];
  holds: boolean;
  raised_at: Date;
  false_since: Date | null;
  ends_at: Date | null;
  occurrence: Defaulted<string>;
  event_id: string;
  kept_by: string | null;
}

export interface EventBurstTable {
  org_id: string;
  type: string;
}

export interface EventWatchTable {
  org_id: string;
  domain_id: string;
  due_at: Date;
  reported_at: Date | null;
  known_until: DayColumn;
  seen: Json<unknown>;
}

export interface EventSourceTable {
  org_id: string;
  domain_id: string;
  source_ip: string;
  due_at: Date;
  since: Date;
  listed_severity: 'critical' | 'warning' | null;
  listed_at: Date | null;
}

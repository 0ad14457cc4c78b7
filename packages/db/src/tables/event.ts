import type { Defaulted } from './columns.ts';

export interface EventTable {
  org_id: string;
  id: string;
  type: string;
  severity: 'info' | 'warning' | 'critical';
  /** Empty: about the whole organization. */
  domain: Defaulted<string>;
  dedup_key: string;
  title: string;
  message: string;
  link: string;
  created_at: Defaulted<Date>;
  resolved_at: Date | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  delivery_planned: Defaulted<boolean>;
}

import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import type { Defaulted } from './columns.ts';

export interface SenderDecisionTable {
  org_id: string;
  domain_id: string;
  /** The slug of a service, or a network such as `192.0.2.0/24`. */
  sender: string;
  decision: SenderDecision;
  owner: Defaulted<string>;
  note: Defaulted<string>;
  decided_by: string;
  decided_at: Date;
}

export interface SenderDecisionChangeTable {
  org_id: string;
  domain_id: string;
  sender: string;
  id: string;
  /** Null: the decision was withdrawn. */
  decision: SenderDecision | null;
  owner: Defaulted<string>;
  note: Defaulted<string>;
  changed_by: string;
  changed_at: Date;
}

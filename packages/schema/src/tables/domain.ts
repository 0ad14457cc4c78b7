import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import type { DayColumn, Defaulted, Json, NullableJson } from './columns.ts';

/** An effective policy in JSON, which leaves out what is undefined. */
export type AppliedPolicy = Omit<EffectivePolicy, 'sp'> & Partial<Pick<EffectivePolicy, 'sp'>>;

export interface DomainCheckTable {
  org_id: string;
  domain_id: string;
  subject: string;
  status: string;
  details: Defaulted<string>;
  has_record: boolean;
  records: Defaulted<string[]>;
  is_partial: boolean | null;
  notes: Defaulted<string[]>;
  inherited_from: string | null;
  policy: NullableJson<AppliedPolicy>;
  policy_read_at: Date | null;
  kept: NullableJson<unknown>;
  facts: NullableJson<unknown>;
  checked_at: Date;
  changed_at: Date;
  verified_at: Date | null;
  failures: Defaulted<number>;
  failed_at: Date | null;
}

export interface DomainCheckChangeTable {
  org_id: string;
  domain_id: string;
  id: string;
  subject: string;
  at: Date;
  before: string | null;
  status: string;
  details: string;
  records: string[];
  is_partial: Defaulted<boolean>;
}

/** `body` has the shape that its subject names. */
export interface DomainEvidenceTable {
  org_id: string;
  domain_id: string;
  subject: 'name_servers' | 'spf_tree' | 'dkim_keys';
  body: Json<unknown>;
  read_at: Date;
  /** The names whose SPF records a tree refers to; null for other subjects. */
  spf_targets: Defaulted<string[] | null>;
}

export interface DkimSelectorTable {
  org_id: string;
  domain_id: string;
  signer: string;
  selector: string;
  messages: number;
  last_day: DayColumn;
  /** Null: known before this was recorded. */
  first_day: DayColumn | null;
}

export interface DkimSelectorDayTable {
  org_id: string;
  domain_id: string;
  day: DayColumn;
  signer: string;
  selector: string;
  messages: number;
}

/** An aligned signature of a report that passed; empty signer and selector: any signature. */
export interface DkimPassTable {
  org_id: string;
  report_id: string;
  signer: string;
  selector: string;
  domain_id: string;
  day: DayColumn;
  messages: number;
}

/** An aligned signature that did not pass, by source. */
export interface DkimFailureTable extends DkimPassTable {
  source_ip: string;
}

export interface UnjudgedSignatureTable {
  org_id: string;
  domain_id: string;
  id: Defaulted<string>;
  signer: string;
  selector: string;
  from_day: DayColumn;
  to_day: DayColumn;
  since: Defaulted<Date>;
}

export interface SendingSubdomainTable {
  org_id: string;
  domain_id: string;
  name: string;
  first_day: DayColumn;
  /** Its newest day. */
  day: DayColumn;
  messages: number;
}

export interface DomainHealthTable {
  org_id: string;
  domain_id: string;
  body: Json<unknown>;
  computed_at: Date;
}

import type { BlocklistVerdict, IdentifiedSender, ListResult, SenderStrength, ZoneHealth } from '@dmarc-ledger/sources';
import type { DayColumn, Defaulted, Json, NullableJson } from './columns.ts';

type PtrState = 'confirmed' | 'unconfirmed' | 'unchecked' | 'none';
export type AbuseStatusName = 'clean' | 'suspicious' | 'malicious' | 'unknown';

/** 0: new and failing; 1: new; 2: looked up before. */
type LookupPriority = 0 | 1 | 2;

export interface IpEnrichmentTable {
  address: string;
  named_at: Defaulted<Date>;
  mentioned_at: Defaulted<Date>;
  is_failing: Defaulted<boolean>;
  priority: Defaulted<LookupPriority>;
  due_at: Defaulted<Date>;
  planned: Defaulted<boolean>;
  ptr_state: PtrState | null;
  hostname: string | null;
  ptr_at: Date | null;
  ptr_due_at: Defaulted<Date>;
  ptr_tries: Defaulted<number>;
  country_code: string | null;
  country: string | null;
  city: string | null;
  latitude: number | null;
  longitude: number | null;
  asn: number | null;
  isp: string | null;
  geo_build: string | null;
  abuse_score: number | null;
  abuse_reports: number | null;
  abuse_categories: string[] | null;
  usage_type: string | null;
  is_tor: boolean | null;
  abuse_last_reported: Date | null;
  abuse_source: string | null;
  abuse_at: Date | null;
  abuse_due_at: Defaulted<Date>;
  abuse_tries: Defaulted<number>;
  list_scope: 'ingest' | 'full' | null;
  verdict: NullableJson<BlocklistVerdict>;
  lists_at: Date | null;
  lists_due_at: Defaulted<Date>;
  lists_tries: Defaulted<number>;
  enriched_at: Date | null;
  updated_at: Date | null;
  version: Defaulted<number>;
  /** True if it is queued in `awaited_address`. */
  in_line: Defaulted<boolean>;
}

export interface AwaitedAddressTable {
  org_id: string;
  address: string;
  priority: number;
  since: Defaulted<Date>;
}

export interface BlocklistResultTable {
  address: string;
  list: string;
  result: Json<ListResult>;
  checked_at: Date;
}

export interface BlocklistZoneTable {
  list: string;
  family: 'v4' | 'v6';
  health: Json<ZoneHealth>;
  next_test_at: Date;
}

export interface LookupBudgetTable {
  service: string;
  day: DayColumn;
  spent: number;
  refused_until: Date | null;
}

export interface IpInterestTable {
  address: string;
  org_id: string;
}

export interface SourceStandingTable {
  org_id: string;
  source_ip: string;
  service_slug: string | null;
  service_strength: SenderStrength | null;
  sender: NullableJson<IdentifiedSender>;
  abuse_status: AbuseStatusName | null;
  facts_version: number;
  settled: boolean;
}

export interface SourceStandingCountTable {
  org_id: string;
  abuse_status: AbuseStatusName;
  sources: number;
}

export interface UnjudgedSourceTable {
  org_id: string;
  source_ip: string;
  since: Defaulted<Date>;
}

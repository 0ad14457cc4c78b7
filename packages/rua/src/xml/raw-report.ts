/**
 * A report as it is in the XML (RFC 9990, appendix A; RFC 7489, appendix C): untrimmed texts under their wire names.
 * Null: no such element. The empty string: an empty one.
 */
export interface RawFeedback {
  version: string | null;
  report_metadata: RawMetadata | null;
  policy_published: RawPolicy | null;
  extension: RawExtension | null;
}

export type RawExtension = Record<never, never>;

export interface RawMetadata {
  org_name: string | null;
  email: string | null;
  extra_contact_info: string | null;
  report_id: string | null;
  date_range: RawDateRange | null;
  error: string[] | null;
  generator: string | null;
}

export interface RawDateRange {
  begin: string | null;
  end: string | null;
}

export interface RawPolicy {
  domain: string | null;
  discovery_method: string | null;
  p: string | null;
  sp: string | null;
  np: string | null;
  adkim: string | null;
  aspf: string | null;
  pct: string | null;
  fo: string | null;
  testing: string | null;
  psd: string | null;
}

export interface RawRecord {
  row: RawRow | null;
  identifiers: RawIdentifiers | null;
  auth_results: RawAuthResults | null;
}

export interface RawRow {
  source_ip: string | null;
  count: string | null;
  policy_evaluated: RawPolicyEvaluated | null;
}

export interface RawPolicyEvaluated {
  disposition: string | null;
  dkim: string | null;
  spf: string | null;
  reason: RawReason[] | null;
}

export interface RawReason {
  type: string | null;
  comment: string | null;
  /** Text directly inside the element. */
  content: string | null;
}

export interface RawIdentifiers {
  header_from: string | null;
  envelope_from: string | null;
  envelope_to: string | null;
}

export interface RawAuthResults {
  dkim: RawDkim[] | null;
  spf: RawSpf[] | null;
}

export interface RawDkim {
  domain: string | null;
  selector: string | null;
  result: string | null;
  human_result: string | null;
}

export interface RawSpf {
  domain: string | null;
  scope: string | null;
  result: string | null;
  human_result: string | null;
}

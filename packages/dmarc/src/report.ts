/**
 * An aggregate report after reading (RFC 9990, RFC 7489 appendix C, and the draft shape before it). Absent text, number
 * or list is null. Domains are normalized; instants are epoch seconds in UTC.
 */
export interface ReportMetadata {
  version: string | null;
  /** The report's generator: `org_name` as sent, or the domain of the address if that is empty. */
  reporterName: string | null;
  email: string | null;
  extraContactInfo: string | null;
  reportId: string | null;
  /** The report id within the report's identity: trimmed, without one pair of `<>`; never empty. */
  reportIdKey: string;
  begin: number | null;
  end: number | null;
  errors: string[] | null;
  generator: string | null;
}

import type { DmarcPolicy as Policy } from '@dmarc-ledger/vocabulary';

export type { Policy };
export type AlignmentMode = 'r' | 's';

export interface PolicyPublished {
  domain: string;
  adkim: AlignmentMode;
  aspf: AlignmentMode;
  p: Policy;
  sp: Policy | null;
  np: Policy | null;
  pct: number | null;
  fo: string | null;
  testing: 'y' | 'n' | null;
  psd: 'y' | 'n' | null;
  discoveryMethod: 'treewalk' | 'psl' | null;
}

export type Outcome = 'pass' | 'fail';
export type DkimResultValue = 'none' | 'pass' | 'fail' | 'policy' | 'neutral' | 'temperror' | 'permerror';
export type SpfResultValue = 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror';
export type ReasonType =
  | 'local_policy'
  | 'mailing_list'
  | 'trusted_forwarder'
  | 'policy_test_mode'
  | 'other'
  | 'forwarded'
  | 'sampled_out';

export interface OverrideReason {
  type: ReasonType;
  comment: string | null;
}

export interface PolicyEvaluated {
  disposition: Policy;
  dkim: Outcome;
  spf: Outcome;
  reasons: OverrideReason[] | null;
}

export interface DkimResult {
  domain: string | null;
  selector: string | null;
  result: DkimResultValue;
  /** Left out of what is stored where the reporter sent none. */
  humanResult?: string | null | undefined;
}

export interface SpfResult {
  domain: string | null;
  scope: 'mfrom' | 'helo' | null;
  result: SpfResultValue;
  /** Left out of what is stored where the reporter sent none. */
  humanResult?: string | null | undefined;
}

export interface Identifiers {
  headerFrom: string;
  /** Empty for the null reverse-path, null when not sent. */
  envelopeFrom: string | null;
  envelopeTo: string | null;
}

export interface AuthResults {
  dkim: DkimResult[] | null;
  spf: SpfResult[] | null;
}

/** One `<record>`: row, identifiers, authentication results. */
export interface ReportRecord {
  /** Canonical text of the address. */
  sourceIp: string;
  /** The report's own text after repairs. */
  sourceIpText: string;
  /** Messages. */
  count: number;
  policyEvaluated: PolicyEvaluated;
  identifiers: Identifiers;
  authResults: AuthResults;
}

/** A report without its records. */
export interface ReportHeader {
  metadata: ReportMetadata;
  policyPublished: PolicyPublished;
}

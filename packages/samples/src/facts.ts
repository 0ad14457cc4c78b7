import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';

/** What one record of a sample report says, before a reporter puts it into his own shape. */
export interface SampleRecord {
  sourceIp: string;
  count: number;
  disposition: DmarcPolicy;
  /** The aligned outcomes. */
  dkim: 'pass' | 'fail';
  spf: 'pass' | 'fail';
  reason?: { type: string; comment?: string };
  headerFrom: string;
  envelopeFrom: string;
  envelopeTo: string;
  dkimResults: { domain: string; selector: string; result: string }[];
  spfResult: { domain: string; result: string };
}

/** A domain whose mail is reported on, with the policy it publishes. */
export interface SampleDomain {
  name: string;
  policy: 'none' | 'reject';
  subdomainPolicy: 'none' | 'reject';
  failureOptions: string;
}

/** One report: who, of whom, when, and what was seen. */
export interface SampleReport {
  domain: SampleDomain;
  reportId: string;
  /** UidValidity seconds; the end is the first second of the next day. */
  begin: number;
  end: number;
  records: SampleRecord[];
}

export interface SampleFile {
  name: string;
  bytes: Buffer;
}

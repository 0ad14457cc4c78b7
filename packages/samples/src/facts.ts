import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';

/** The facts of one record of a sample report, before a reporter gives it its own shape. */
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
  policy: DmarcPolicy;
  subdomainPolicy: DmarcPolicy;
  failureOptions: string;
}

/** One report: the reporter, the domain, the window, and the records. */
export interface SampleReport {
  domain: SampleDomain;
  reportId: string;
  /** Epoch seconds; the end is the first second of the next day. */
  begin: number;
  end: number;
  records: SampleRecord[];
}

export interface SampleFile {
  name: string;
  bytes: Buffer;
}

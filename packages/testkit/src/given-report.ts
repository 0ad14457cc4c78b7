import type { ReportTable } from '@dmarc-ledger/schema';
import { newId } from '@dmarc-ledger/vocabulary';
import type { Selectable } from 'kysely';
import type { GivenRecord } from './given-record.ts';

type Report = Selectable<ReportTable>;

export interface GivenReport {
  domain?: string;
  reporter?: string | null;
  reportId?: string | null;
  /** Instants as text; null for a window that was not sent. */
  begin?: string | null;
  end?: string | null;
  received?: string;
  policy?: Partial<Report['policy']>;
  metadata?: Partial<Report['metadata']>;
  warnings?: { code: string; detail: string | null }[];
  records?: GivenRecord[];
}

/** A report without its sums, which `countEverything` fills in. */
export function reportRow(
  orgId: string,
  given: GivenReport & { domain: string; reporter: string | null },
  { domainId, reporterId }: { domainId: string; reporterId: string },
) {
  const { domain, reporter, begin = '2026-03-01T00:00:00Z', end = '2026-03-01T23:59:59Z' } = given;
  const received = new Date(given.received ?? '2026-03-02T04:00:00Z');
  const window = { begin: begin === null ? null : new Date(begin), end: end === null ? null : new Date(end) };
  const id = newId();
  const reportId = given.reportId === undefined ? id : given.reportId;
  const metadata = {
    version: null,
    reporterName: reporter,
    email: null,
    extraContactInfo: null,
    reportId,
    reportIdKey: reportId ?? id,
    begin: secondsOf(window.begin),
    end: secondsOf(window.end),
    errors: null,
    generator: null,
    ...given.metadata,
  };
  const policy = {
    domain,
    adkim: 'r',
    aspf: 'r',
    p: 'none',
    sp: null,
    np: null,
    pct: null,
    fo: null,
    testing: null,
    psd: null,
    discoveryMethod: null,
    ...given.policy,
  };
  return {
    org_id: orgId,
    id,
    identity: Buffer.from(id),
    domain_id: domainId,
    reporter_id: reporterId,
    domain,
    reporter_name: reporter,
    report_id: reportId,
    date_begin: window.begin,
    date_end: window.end,
    begin_day: window.begin ? dayOf(window.begin) : '-infinity',
    end_day: window.end ? dayOf(window.end) : 'infinity',
    day: dayOf(
      new Date(
        ((window.begin ?? window.end ?? received).getTime() + (window.end ?? window.begin ?? received).getTime()) / 2,
      ),
    ),
    received_at: received,
    records: 0,
    messages: 0,
    compliant: 0,
    spf_pass: 0,
    dkim_pass: 0,
    compliance: 0,
    result: 'none' as const,
    spf_only: 0,
    dkim_only: 0,
    both_failed: 0,
    policy_p: policy.p,
    metadata: JSON.stringify(metadata),
    policy: JSON.stringify(policy),
    payload_sha256: Buffer.alloc(32),
  };
}

function secondsOf(instant: Date | null): number | null {
  return instant && instant.getTime() / 1000;
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

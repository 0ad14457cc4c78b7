import type { ReportRecordTable } from '@dmarc-ledger/schema';
import type { Selectable } from 'kysely';

type ReportRecord = Selectable<ReportRecordTable>;

export interface GivenRecord {
  ip?: string;
  /** The reporter's spelling, where it is not the canonical one. */
  text?: string;
  count?: number;
  dkim?: boolean;
  spf?: boolean;
  disposition?: 'none' | 'quarantine' | 'reject';
  headerFrom?: string;
  envelopeFrom?: string | null;
  envelopeTo?: string | null;
  reasons?: ReportRecord['reasons'];
  dkimResults?: ReportRecord['dkim_results'];
  spfResults?: ReportRecord['spf_results'];
  dkimAligned?: boolean[];
  spfAligned?: boolean[];
  class?: ReportRecord['class'];
  proved?: boolean;
}

interface Place {
  org_id: string;
  id: string;
  day: string;
  domain_id: string;
  domain: string;
  position: number;
}

export function recordRow({ org_id, id, day, domain_id, domain, position }: Place, record: GivenRecord) {
  const { dkim = true, spf = true } = record;
  return {
    org_id,
    report_id: id,
    position,
    day,
    domain_id,
    source_ip: record.ip ?? '203.0.113.5',
    source_text: record.text ?? null,
    messages: record.count ?? 1,
    disposition: record.disposition ?? 'none',
    dkim_pass: dkim,
    spf_pass: spf,
    header_from: record.headerFrom ?? domain,
    envelope_from: record.envelopeFrom ?? null,
    envelope_to: record.envelopeTo ?? null,
    reasons: json(record.reasons),
    dkim_results: json(record.dkimResults),
    spf_results: json(record.spfResults),
    dkim_aligned: record.dkimAligned ?? null,
    spf_aligned: record.spfAligned ?? null,
    class: record.class ?? (dkim || spf ? ('authenticated' as const) : ('needs_review' as const)),
    proved: record.proved ?? false,
  };
}

function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

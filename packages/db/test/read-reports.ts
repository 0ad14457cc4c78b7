import {
  reportDay,
  summarizeFailures,
  type DkimResult,
  type OverrideReason,
  type Policy,
  type PolicyPublished,
  type ReportMetadata,
  type SpfResult,
} from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/db';
import { dayOf, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { countEverything } from './read-rollups.ts';

export interface GivenRecord {
  ip?: string;
  /** The reporter's spelling, where it is not the canonical one. */
  text?: string;
  count?: number;
  dkim?: boolean;
  spf?: boolean;
  disposition?: Policy;
  headerFrom?: string;
  envelopeFrom?: string | null;
  envelopeTo?: string | null;
  reasons?: OverrideReason[];
  dkimResults?: DkimResult[];
  spfResults?: SpfResult[];
  dkimAligned?: boolean[];
  spfAligned?: boolean[];
  class?: 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';
}

export interface GivenReport {
  domain?: string;
  reporter?: string | null;
  reportId?: string | null;
  /** Instants as text; null for a window that was not sent. */
  begin?: string | null;
  end?: string | null;
  received?: string;
  policy?: Partial<PolicyPublished>;
  metadata?: Partial<ReportMetadata>;
  warnings?: { code: string; detail: string | null }[];
  records?: GivenRecord[];
}

/** Stores reports with SQL of its own and counts everything anew. Returns their ids, in order. */
export async function givenReports(db: Db, orgId: string, reports: GivenReport[]): Promise<string[]> {
  const ids: string[] = [];
  for (const report of reports) ids.push(await insertReport(db, orgId, report));
  await countEverything(db, orgId);
  return ids;
}

async function insertReport(db: Db, orgId: string, given: GivenReport): Promise<string> {
  const { domain = 'example.com', reporter = 'google.com', records = [{}] } = given;
  const { begin = '2026-03-01T00:00:00Z', end = '2026-03-01T23:59:59Z', received = '2026-03-02T04:00:00Z' } = given;
  const id = newId();
  const seconds = (instant: string | null) => (instant === null ? null : Date.parse(instant) / 1000);
  const window = { begin: seconds(begin), end: seconds(end) };
  const day = reportDay(window, Date.parse(received) / 1000);
  const reportId = given.reportId === undefined ? id : given.reportId;
  const outcomes = records.map(({ dkim = true, spf = true, count = 1 }) => ({ dkim, spf, count }));
  const sumOf = (list: { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0);
  const messages = sumOf(outcomes);
  const compliant = sumOf(outcomes.filter(({ dkim, spf }) => dkim || spf));
  const failures = summarizeFailures(
    outcomes.map(({ dkim, spf }) => ({ dkim: dkim ? 'pass' : 'fail', spf: spf ? 'pass' : 'fail' })),
  );
  const { id: domainId } = await idOf(db, orgId, 'domain', domain);
  const { id: reporterId } = await idOf(db, orgId, 'reporter', reporter ?? '');
  const metadata: ReportMetadata = {
    version: null,
    reporterName: reporter,
    email: null,
    extraContactInfo: null,
    reportId,
    reportIdKey: reportId ?? id,
    ...window,
    errors: null,
    generator: null,
    ...given.metadata,
  };
  const policy: PolicyPublished = {
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
  await db
    .insertInto('report')
    .values({
      org_id: orgId,
      id,
      identity: Buffer.from(id),
      domain_id: domainId,
      reporter_id: reporterId,
      domain,
      reporter_name: reporter,
      report_id: reportId,
      date_begin: begin === null ? null : new Date(begin),
      date_end: end === null ? null : new Date(end),
      begin_day: window.begin === null ? '-infinity' : dayOf(window.begin),
      end_day: window.end === null ? 'infinity' : dayOf(window.end),
      day,
      received_at: new Date(received),
      records: records.length,
      messages,
      compliant,
      spf_pass: sumOf(outcomes.filter(({ spf }) => spf)),
      dkim_pass: sumOf(outcomes.filter(({ dkim }) => dkim)),
      compliance: 0,
      result: messages === 0 ? 'none' : compliant === messages ? 'pass' : 'fail',
      spf_only: failures.spfOnly,
      dkim_only: failures.dkimOnly,
      both_failed: failures.both,
      policy_p: policy.p,
      metadata: JSON.stringify(metadata),
      policy: JSON.stringify(policy),
      payload_sha256: Buffer.alloc(32),
    })
    .execute();
  await sql`update report set compliance = compliance_of(compliant, messages) where org_id = ${orgId} and id = ${id}`.execute(
    db,
  );
  for (const [position, record] of records.entries())
    await insertRecord(db, { orgId, id, day, domainId, domain, position }, record);
  for (const [position, warning] of (given.warnings ?? []).entries()) {
    await db
      .insertInto('parse_warning')
      .values({ org_id: orgId, report_id: id, position, ...warning })
      .execute();
  }
  return id;
}

interface Place {
  orgId: string;
  id: string;
  day: string;
  domainId: string;
  domain: string;
  position: number;
}

async function insertRecord(
  db: Db,
  { orgId, id, day, domainId, domain, position }: Place,
  record: GivenRecord,
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const { dkim = true, spf = true } = record;
  await db
    .insertInto('report_record')
    .values({
      org_id: orgId,
      report_id: id,
      position,
      day,
      domain_id: domainId,
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
      class: record.class ?? (dkim || spf ? 'authenticated' : 'needs_review'),
    })
    .execute();
}

async function idOf(db: Db, orgId: string, table: 'domain' | 'reporter', name: string): Promise<{ id: string }> {
  const known = await db
    .selectFrom(table)
    .select('id')
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (known) return known;
  const id = newId();
  if (table === 'domain') await db.insertInto('domain').values({ org_id: orgId, id, name, source: 'auto' }).execute();
  else await db.insertInto('reporter').values({ org_id: orgId, id, name }).execute();
  return { id };
}

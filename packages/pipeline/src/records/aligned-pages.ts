import {
  type findUnjudged,
  recordsOf,
  type RecordToJudge,
  renewVersions,
  type ReportVersion,
  saveAlignments,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { alignRecord, type OrganizationalDomain, type RecordAlignment } from '@dmarc-ledger/dmarc';
import { present } from '@dmarc-ledger/vocabulary';
import { ofPage } from './of-page.ts';

/** A report whose records are to be aligned. Its version is renewed when an alignment is corrected. */
export type WaitingReport = Awaited<ReturnType<typeof findUnjudged>>[number];

/** Reads records page by page, with what aligns, and corrects what was written with them. */
export async function* alignedPages(
  { database, organizationalDomain }: { database: Database; organizationalDomain: OrganizationalDomain },
  orgId: string,
  reports: readonly WaitingReport[],
): AsyncGenerator<RecordToJudge[]> {
  if (reports.length === 0) return;
  const policies = new Map(reports.map(({ id, policy }) => [id, policy]));
  for await (const page of recordsOf(database.db, orgId, [...policies.keys()], 'all')) {
    const aligned = page.map((stored) => ({
      ...stored,
      alignment: alignRecord(stored.record, present(policies.get(stored.reportId)), organizationalDomain),
    }));
    const corrected = aligned.filter(({ alignment }, i) => !isSame(alignment, page[i]?.alignment));
    await correct(database, orgId, reports, corrected);
    yield aligned;
  }
}

function isSame(one: RecordAlignment, other: RecordAlignment | undefined): boolean {
  return other !== undefined && areSame(one.dkim, other.dkim) && areSame(one.spf, other.spf);
}

function areSame(one: readonly boolean[] | null, other: readonly boolean[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((flag, i) => flag === other[i]);
}

/**
 * Stores alignments that differ from what was written with the records: of older versions, or by a later policy. What
 * was judged by the stored ones is void.
 */
async function correct(
  database: Database,
  orgId: string,
  waiting: readonly ReportVersion[],
  corrected: readonly RecordToJudge[],
): Promise<void> {
  if (corrected.length === 0) return;
  const renewed = await transact(database, async (session) => {
    const versions = await renewVersions(session, orgId, ofPage(waiting, corrected));
    await saveAlignments(
      session,
      orgId,
      corrected.filter(({ reportId }) => versions.has(reportId)),
    );
    return versions;
  });
  for (const report of waiting) report.version = renewed.get(report.id) ?? report.version;
}

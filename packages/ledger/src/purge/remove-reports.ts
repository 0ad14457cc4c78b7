import type { Session } from '@dmarc-ledger/schema';
import { announce } from '../due-work/announce-work.ts';
import { endMonitoring } from '../events/end-monitoring.ts';
import { makeReportedHealthDue } from '../due-work/health-due.ts';
import { forgetContents } from '../intake/forget-contents.ts';
import { uncountReport } from '../reports/recount-report.ts';
import {
  dropEmptySourceDomainDays,
  dropEmptySourceDomains,
  forgetSources,
  holdSourceDomainDays,
  holdSourceDomains,
  holdSourceTotals,
  sumSourceDomainDays,
  sumSourceDomains,
  sumSourceTotals,
} from '../rollups/repair-statements.ts';
import { addToDaysAndTotals } from '../rollups/rollup-statements.ts';
import { removeSignatures } from '../signatures/save-signatures.ts';
import {
  countHeldSources,
  dropEmptyDays,
  dropReports,
  pickReports,
  takeForwarded,
  takeRecords,
} from './report-statements.ts';

/** What was removed. */
export interface RemovedReports {
  reports: number;
  records: number;
  messages: number;
}

interface PickedReport {
  id: string;
  records: number;
  messages: number;
}

interface SourceCount {
  domain_id: string | null;
  sources: number;
  failing_sources: number;
}

/** Reports in one transaction, and the most records they may have together. */
const REPORTS = 100;
const RECORDS = 20_000;

/**
 * Removes some of the reports received before an instant, with all their data and their part of every rollup: at every
 * moment the figures match the remaining reports. Zero means that none is due, or that another process holds the rest.
 */
export async function removeReports(session: Session, orgId: string, before: Date): Promise<RemovedReports> {
  const picked = await session.run<PickedReport>(pickReports, [orgId, before, REPORTS]);
  const [first] = picked;
  if (!first) return { reports: 0, records: 0, messages: 0 };
  const taken = first.records > RECORDS ? [first] : upTo(RECORDS, picked);
  const ids = taken.map(({ id }) => id);
  await removeSignatures(session, orgId, ids);
  if (first.records > RECORDS) await uncountLarge(session, orgId, first.id);
  else await uncountTogether(session, orgId, ids);
  const left = await session.run<{ id: string }>(dropEmptyDays, [orgId, ids]);
  await makeReportedHealthDue(session, orgId, ids);
  const copies = await session.run<{ payload_sha256: Buffer }>(dropReports, [orgId, ids]);
  await endMonitoring(
    session,
    orgId,
    left.map(({ id }) => id),
  ); // before contents, as intake locks conditions of events before these
  await forgetContents(
    session,
    orgId,
    copies.map(({ payload_sha256 }) => payload_sha256),
  );
  return {
    reports: taken.length,
    records: taken.reduce((sum, { records }) => sum + records, 0),
    messages: taken.reduce((sum, { messages }) => sum + messages, 0),
  };
}

function upTo(records: number, picked: readonly PickedReport[]): PickedReport[] {
  let left = records;
  return picked.filter((report) => {
    left -= report.records;
    return left >= 0;
  });
}

/** A large report has too many keys for memory: they are marked for repair, as when the report is replaced. */
async function uncountLarge(session: Session, orgId: string, id: string): Promise<void> {
  const takeFromTotals = await uncountReport(session, orgId, { id });
  await takeFromTotals();
  await announce(session, orgId, [{ job: 'repairRollups', payload: { orgId } }]);
}

/**
 * Removes records and recomputes their sums at once, taking locks in the order that storing uses: sources from the
 * lowest level up, then totals, then days.
 */
async function uncountTogether(session: Session, orgId: string, ids: readonly string[]): Promise<void> {
  const lost = JSON.stringify(await session.run(takeRecords, [orgId, ids]));
  for (const hold of [holdSourceDomainDays, holdSourceDomains, holdSourceTotals])
    await session.run(hold, [orgId, lost]);
  const before = await session.run<SourceCount>(countHeldSources, [orgId, lost]);
  for (const step of [
    sumSourceDomainDays,
    dropEmptySourceDomainDays,
    sumSourceDomains,
    dropEmptySourceDomains,
    sumSourceTotals,
    forgetSources,
  ])
    await session.run(step, [orgId, lost]);
  const after = await session.run<SourceCount>(countHeldSources, [orgId, lost]);
  await session.run(addToDaysAndTotals, [orgId, ids, JSON.stringify(differences(before, after)), -1, false]);
  await session.run(takeForwarded, [orgId, lost]);
}

function differences(before: readonly SourceCount[], after: readonly SourceCount[]): SourceCount[] {
  return before.map(({ domain_id, sources, failing_sources }) => {
    const left = after.find((other) => other.domain_id === domain_id);
    return {
      domain_id,
      sources: (left?.sources ?? 0) - sources,
      failing_sources: (left?.failing_sources ?? 0) - failing_sources,
    };
  });
}

import type { Session } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { findNewlyKnown } from '../domains/known-selectors.ts';
import { announce, type Work } from '../due-work/announce-work.ts';
import {
  deleteFailures,
  deletePasses,
  findRecorded,
  findUncoveredDays,
  insertFailures,
  insertPasses,
  lockSignatures,
  markSignatures,
} from './signature-statements.ts';

/** The aligned signatures of one report, each key once; an empty signer and selector stand for any signature. */
export interface ReportSignatures {
  reportId: string;
  domainId: string;
  day: Day;
  passes: readonly { signer: string; selector: string; messages: number }[];
  failures: readonly { signer: string; selector: string; address: string; messages: number }[];
}

/** A day on which a selector has a pass on record. */
interface PassDay {
  domain_id: string;
  signer: string;
  selector: string;
  day: Day;
}

/**
 * Records the aligned signatures of reports in place of those recorded before, so that running it again changes
 * nothing. Where a selector begins or ceases to be evidence on a day, the failing records that carry it are classified
 * again. Returns the domains that have a selector which became known. To be called late in a transaction: the reports
 * of a domain are taken one transaction at a time.
 */
export async function saveSignatures(
  session: Session,
  orgId: string,
  reports: readonly ReportSignatures[],
): Promise<string[]> {
  const ids = reports.map(({ reportId }) => reportId);
  const [passes, failures] = [rowsOf(reports, 'passes'), rowsOf(reports, 'failures')];
  await lock(session, orgId, ids);
  const fresh = await session.run<PassDay>(findUncoveredDays, [orgId, passes]);
  const recorded = (await session.run<{ id: string }>(findRecorded, [orgId, ids])).map(({ id }) => id);
  const isAgain = recorded.length > 0;
  const begun = await mark(session, orgId, fresh); // before they are inserted: else they would cover each other
  const gone = isAgain ? await session.run<PassDay>(deletePasses, [orgId, recorded, passes]) : [];
  await session.run(insertPasses, [orgId, passes]);
  if (isAgain) await session.run(deleteFailures, [orgId, recorded]);
  await session.run(insertFailures, [orgId, failures]);
  await judgeAgain(session, orgId, [...begun, ...(await markEnded(session, orgId, gone))]);
  return await findNewlyKnown(session.db, orgId, { reportIds: ids, passes: JSON.stringify(fresh), failures });
}

/** Removes what is recorded of reports that are removed; the rest as in `saveSignatures`. */
export async function removeSignatures(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await lock(session, orgId, reportIds);
  const gone = await session.run<PassDay>(deletePasses, [orgId, reportIds, '[]']);
  await session.run(deleteFailures, [orgId, reportIds]);
  await judgeAgain(session, orgId, await markEnded(session, orgId, gone));
}

/** Without the lock, of two reports that come and go at once each could take the other for the evidence that stays. */
async function lock(session: Session, orgId: string, reportIds: readonly string[]): Promise<void> {
  await session.run(lockSignatures, [orgId, reportIds]);
}

/** Marks the days on which no pass is left: runs when the passes are deleted, and those in their place inserted. */
async function markEnded(session: Session, orgId: string, gone: readonly PassDay[]): Promise<string[]> {
  if (gone.length === 0) return [];
  return await mark(session, orgId, await session.run<PassDay>(findUncoveredDays, [orgId, JSON.stringify(gone)]));
}

/** Returns the domain of each mark. */
async function mark(session: Session, orgId: string, days: readonly PassDay[]): Promise<string[]> {
  if (days.length === 0) return [];
  const marked = await session.run<{ domain_id: string }>(markSignatures, [orgId, JSON.stringify(days)]);
  return marked.map(({ domain_id }) => domain_id);
}

async function judgeAgain(session: Session, orgId: string, domainIds: readonly string[]): Promise<void> {
  const work = [...new Set(domainIds)].map((domainId): Work => ({
    job: 'judgeSignatures',
    payload: { orgId, domainId },
  }));
  await announce(session, orgId, work);
}

function rowsOf(reports: readonly ReportSignatures[], kind: 'passes' | 'failures'): string {
  return JSON.stringify(
    reports.flatMap(({ reportId, domainId, day, [kind]: signatures }) =>
      signatures.map((signature) => ({ ...signature, report_id: reportId, domain_id: domainId, day })),
    ),
  );
}

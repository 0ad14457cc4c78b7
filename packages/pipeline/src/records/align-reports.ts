import {
  findUnjudged,
  finishAlignment,
  holdVersions,
  keepJudging,
  noteChanges,
  noteSelectors,
  noteSources,
  noteSubdomains,
  type ReportVersion,
  saveSignatures,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import type { OrganizationalDomain } from '@dmarc-ledger/dmarc';
import { present } from '@dmarc-ledger/vocabulary';
import { throwIfEnding } from '../interruption.ts';
import { alignedPages, type WaitingReport } from './aligned-pages.ts';
import type { RecentReports } from './recent-reports.ts';
import { SeenReport } from './seen-report.ts';
import { SeenSources } from './seen-sources.ts';
import { noteNews } from '../domains/news-of-reports.ts';
import { noteSenders } from '../sources/note-senders.ts';

/** Sources are noted when so many groups of their mail were seen: most records are of a source that is seen already. */
const NOTED_AT_ONCE = 5_000;

export interface AlignNeeds {
  database: Database;
  organizationalDomain: OrganizationalDomain;
  /** What this process has just stored. */
  recent?: RecentReports | undefined;
  /** False while nothing is looked up about addresses: none is queued. Default: true. */
  areAddressesLookedUp?: boolean | undefined;
  /** Aborted when the worker is about to end. */
  ending?: AbortSignal;
}

/**
 * Checks, for every record of stored reports, which results align, and records where the reporter's verdict and its
 * evidence disagree. Running it again changes nothing.
 *
 * @throws {QueueError} `job_interrupted` when the worker ends before the last page.
 */
export async function alignReports(needs: AlignNeeds, payload: { orgId: string; reportIds: string[] }): Promise<void> {
  while (!(await alignOnce(needs, payload)));
}

/** False when a report has been removed meanwhile, or other records count for it: the rest is to be aligned anew. */
async function alignOnce(
  needs: AlignNeeds,
  { orgId, reportIds }: { orgId: string; reportIds: string[] },
): Promise<boolean> {
  const { database, organizationalDomain, recent } = needs;
  const waiting = await findUnjudged(database.db, orgId, reportIds, 'align');
  if (waiting.length === 0) return true; // done by an earlier run, or deleted since
  const seen = new Map<string, SeenReport>();
  const sources = new SeenSources();
  const noteMany = async () => {
    throwIfEnding(needs.ending, 'The reports are aligned later.');
    return sources.size < NOTED_AT_ONCE || (await note(needs, orgId, waiting, sources));
  };
  const stored: WaitingReport[] = [];
  for (const report of waiting) {
    const kept = recent?.take(report);
    seen.set(report.id, kept?.report ?? new SeenReport(report, organizationalDomain));
    if (!kept) {
      stored.push(report);
      continue;
    }
    while (kept.sources.size > 0) {
      sources.takeFrom(kept.sources, NOTED_AT_ONCE);
      if (!(await noteMany())) return false;
    }
  }
  for await (const page of alignedPages(needs, orgId, stored)) {
    for (const { reportId, record, alignment, position } of page) {
      present(seen.get(reportId)).add(record, alignment, position);
      sources.add(record);
    }
    if (!(await noteMany())) return false;
  }
  if (!(await note(needs, orgId, waiting, sources))) return false;
  await finish(database, orgId, waiting, seen);
  return true;
}

/** Ends the alignment of reports, with what their records have shown. */
async function finish(
  database: Database,
  orgId: string,
  waiting: readonly WaitingReport[],
  seen: ReadonlyMap<string, SeenReport>,
): Promise<void> {
  const lists = new Map([...seen].map(([id, { warnings }]) => [id, warnings]));
  await transact(database, async (session) => {
    const endedIds = await finishAlignment(session, orgId, waiting, lists);
    const ended = endedIds.map((id) => present(seen.get(id)).names);
    await noteSelectors(
      session,
      orgId,
      ended.flatMap(({ selectors }) => selectors),
    );
    await noteSubdomains(
      session,
      orgId,
      ended.flatMap(({ subdomains }) => subdomains),
    );
    const reports = waiting.filter(({ id }) => endedIds.includes(id));
    const newlyKnown = await saveSignatures(
      session,
      orgId,
      reports.map(({ id, domainId, day }) => {
        const { passes, failures } = present(seen.get(id)).names;
        return { reportId: id, domainId, day, passes, failures };
      }),
    );
    await noteNews(session, orgId, { reports, newlyKnown });
    await noteChanges(session, orgId);
  });
}

/**
 * Notes sources and forgets them, and keeps the lease on the judgement of their reports. Returns false, and notes none,
 * if a report has been removed or other records count for it: what is known of a source goes with its last record.
 */
async function note(
  { database, areAddressesLookedUp: areLookedUp }: AlignNeeds,
  orgId: string,
  waiting: readonly ReportVersion[],
  sources: SeenSources,
): Promise<boolean> {
  if (sources.size === 0) return true;
  const reportIds = waiting.map(({ id }) => id);
  const isNoted = await transact(database, async (session) => {
    if ((await holdVersions(session, orgId, waiting)).size < waiting.length) return false;
    await keepJudging(session, orgId, reportIds);
    await noteSources(session, orgId, sources.named(), { areLookedUp });
    await noteSenders(session, orgId, sources.mail());
    return true;
  });
  if (isNoted) sources.clear();
  return isNoted;
}

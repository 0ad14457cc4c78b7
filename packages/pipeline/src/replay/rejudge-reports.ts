import { setTimeout as sleep } from 'node:timers/promises';
import { classifyRecord } from '@dmarc-ledger/dmarc';
import {
  classifyAgain,
  countUnsettled,
  findReportsWithFailures,
  findSignatureEvidence,
  recordsOf,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { findFacts } from '../sources/known-facts.ts';

/** Failing records whose class changes, by the class before and the one now. */
export interface ClassChange {
  /** Of forwarded mail with whether it is proved; `none` where it was not judged yet. */
  from: string;
  to: string;
  records: number;
  messages: number;
}

export interface Rejudgement {
  /** Failing records. */
  checked: number;
  /** Reports with a record whose class changes. */
  reports: number;
  changes: ClassChange[];
}

const POLL_MS = 100;

/**
 * Judges the stored failing records of an organization again by the current rules and facts, without reading their raw
 * bytes, and returns what that changes. A dry run writes nothing; otherwise the reports with a change are classified by
 * the services on this ledger, and the sums follow. May be ended at any point, and run again.
 */
export async function rejudgeReports(
  { database }: { database: Database },
  orgId: string,
  { isDryRun }: { isDryRun: boolean },
): Promise<Rejudgement> {
  const rejudgement: Rejudgement = { checked: 0, reports: 0, changes: [] };
  for (let after: string | null = null; ;) {
    const ids: string[] = await findReportsWithFailures(database.db, orgId, after);
    if (ids.length === 0) return rejudgement;
    const changed = await compareClasses(database, orgId, ids, rejudgement);
    rejudgement.reports += changed.length;
    if (!isDryRun) await classifyAndWait(database, orgId, changed);
    after = ids.at(-1) ?? null;
  }
}

/** Returns the reports that have a record whose class changes, and adds the changes to the summary. */
async function compareClasses(
  { db }: Database,
  orgId: string,
  reportIds: readonly string[],
  summary: Rejudgement,
): Promise<string[]> {
  const changed = new Set<string>();
  for await (const page of recordsOf(db, orgId, reportIds, 'failing')) {
    const facts = await findFacts(db, orgId, [...new Set(page.map(({ record }) => record.sourceIp))]);
    const signatures = await findSignatureEvidence(db, orgId, page);
    for (const stored of page) {
      const { record, alignment, reportId } = stored;
      const now = classifyRecord(record, alignment, facts.get(record.sourceIp), signatures.of(stored));
      const [from, to] = [nameOf(stored), nameOf(now)];
      summary.checked += 1;
      if (from === to) continue;
      changed.add(reportId);
      addChange(summary.changes, { from, to, records: 1, messages: record.count });
    }
  }
  return [...changed];
}

function nameOf({ class: named, isProved }: { class: string | null; isProved: boolean }): string {
  if (named !== 'likely_forwarded') return named ?? 'none';
  return `${named} (${isProved ? 'proved' : 'inferred'})`;
}

/** Adds a change to the one between the same classes. */
export function addChange(changes: ClassChange[], { from, to, records, messages }: ClassChange): void {
  const same = changes.find((change) => change.from === from && change.to === to);
  if (!same) {
    changes.push({ from, to, records, messages });
    return;
  }
  same.records += records;
  same.messages += messages;
}

async function classifyAndWait(database: Database, orgId: string, reportIds: readonly string[]): Promise<void> {
  await transact(database, (session) => classifyAgain(session, orgId, reportIds));
  while ((await countUnsettled(database.db, orgId, reportIds)) > 0) await sleep(POLL_MS);
}

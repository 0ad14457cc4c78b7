import { isDeepStrictEqual } from 'node:util';
import {
  findUnjudged,
  finishAlignment,
  holdVersions,
  keepJudging,
  type NamedSource,
  noteSelectors,
  noteSources,
  noteSubdomains,
  recordsOf,
  type RecordToJudge,
  type ReportVersion,
  saveAlignments,
  saveSignatures,
} from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import {
  alignRecord,
  brokenSignatures,
  findContradictions,
  isCompliant,
  type OrganizationalDomain,
  passedSignatures,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import { WarningList, present } from '@dmarc-ledger/vocabulary';
import { throwIfEnding } from '../interruption.ts';
import { ofPage } from './of-page.ts';
import { SeenNames } from './seen-names.ts';
import { noteNews } from '../domains/news-of-reports.ts';
import { noteSenders } from '../sources/note-senders.ts';

export interface AlignNeeds {
  database: Database;
  organizationalDomain: OrganizationalDomain;
  /** Aborted when the worker is about to end. */
  ending?: AbortSignal;
}

/**
 * Checks, for every record of stored reports, which results align, and records where the reporter's verdict and its
 * evidence disagree. Running it again changes nothing.
 *
 * @throws {QueueError} `job_interrupted` when the worker ends before the last page.
 */
export async function alignReports(
  { database, organizationalDomain, ending }: AlignNeeds,
  { orgId, reportIds }: { orgId: string; reportIds: string[] },
): Promise<void> {
  const waiting = await findUnjudged(database.db, orgId, reportIds, 'align');
  if (waiting.length === 0) return; // done by an earlier run, or deleted since
  const policies = new Map(waiting.map(({ id, policy }) => [id, policy]));
  const names = new Map(waiting.map(({ id, domainId }) => [id, new SeenNames(domainId)]));
  const findings = new Map(waiting.map(({ id }) => [id, new WarningList()]));
  for await (const page of recordsOf(database.db, orgId, [...policies.keys()], 'all')) {
    throwIfEnding(ending, 'The reports are aligned later.');
    const aligned = page.map((stored) => {
      const policy = present(policies.get(stored.reportId));
      const alignment = alignRecord(stored.record, policy, organizationalDomain);
      for (const code of findContradictions(stored.record, alignment, policy))
        present(findings.get(stored.reportId)).add(code, null, stored.position);
      return { ...stored, alignment };
    });
    const corrected = aligned.filter(({ alignment }, i) => !isDeepStrictEqual(alignment, page[i]?.alignment));
    await correct(database, orgId, waiting, corrected);
    for (const { reportId, day, record, alignment } of aligned) {
      const { domain } = present(policies.get(reportId));
      const seen = present(names.get(reportId));
      seen.addKeys(alignedSelectors(record, domain, organizationalDomain), day);
      seen.addPasses(passedSignatures(record, alignment), record.count);
      seen.addFailures(brokenSignatures(record, alignment), record.sourceIp, record.count);
      seen.addSender(record.identifiers.headerFrom, domain, record.count, day);
    }
    await transact(database, async (session) => {
      await keepJudging(session, orgId, [...policies.keys()]);
      await noteSources(session, orgId, namedSources(page));
      await noteSenders(session, orgId, page);
    });
  }
  const lists = new Map([...findings].map(([id, list]) => [id, list.toArray()]));
  await transact(database, async (session) => {
    const endedIds = await finishAlignment(session, orgId, waiting, lists);
    const ended = endedIds.map((id) => present(names.get(id)));
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
        const { passes, failures } = present(names.get(id));
        return { reportId: id, domainId, day, passes, failures };
      }),
    );
    await noteNews(session, orgId, { reports, newlyKnown });
  });
}

/** Stores alignments that differ from what was written with the records: of older versions, or by a later policy. */
async function correct(
  database: Database,
  orgId: string,
  waiting: readonly ReportVersion[],
  corrected: readonly RecordToJudge[],
): Promise<void> {
  if (corrected.length === 0) return;
  await transact(database, async (session) => {
    const held = await holdVersions(session, orgId, ofPage(waiting, corrected));
    await saveAlignments(
      session,
      orgId,
      corrected.filter(({ reportId }) => held.has(reportId)),
    );
  });
}

/** The addresses of records, each once; `failing` when any of its mail fails DMARC. */
function namedSources(page: readonly { record: ReportRecord }[]): NamedSource[] {
  const failing = new Map<string, boolean>();
  for (const { record } of page) {
    const isFailing = !isCompliant(record.policyEvaluated);
    failing.set(record.sourceIp, isFailing || (failing.get(record.sourceIp) ?? false));
  }
  return [...failing].map(([address, isFailing]) => ({
    address,
    isFailing,
    isNeverLookedUp: !isPublicAddress(address),
  }));
}

/** Signatures of the domain itself, or of one with the same organizational domain, whose keys matter to it. */
function alignedSelectors(
  { authResults, count }: ReportRecord,
  domain: string,
  organizationalDomain: OrganizationalDomain,
) {
  return (authResults.dkim ?? []).flatMap(({ domain: signer, selector }) =>
    signer && selector && organizationalDomain(signer) === organizationalDomain(domain)
      ? [{ signer, selector: selector.toLowerCase(), messages: count }]
      : [],
  );
}

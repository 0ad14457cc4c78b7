import {
  findUnjudged,
  finishAlignment,
  holdVersions,
  keepJudging,
  type NamedSource,
  noteChanges,
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
  type RecordAlignment,
  type ReportRecord,
} from '@dmarc-ledger/dmarc';
import { isPublicAddress } from '@dmarc-ledger/lookups';
import { WarningList, present } from '@dmarc-ledger/vocabulary';
import { throwIfEnding } from '../interruption.ts';
import { ofPage } from './of-page.ts';
import { SeenNames } from './seen-names.ts';
import { noteNews } from '../domains/news-of-reports.ts';
import { noteSenders } from '../sources/note-senders.ts';

/** Sources are noted for so many records at once: most records are of a source that another one has named. */
const NOTED_AT_ONCE = 5_000;

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
  const seen: RecordToJudge[] = [];
  for await (const page of recordsOf(database.db, orgId, [...policies.keys()], 'all')) {
    throwIfEnding(ending, 'The reports are aligned later.');
    const aligned = page.map((stored) => {
      const policy = present(policies.get(stored.reportId));
      const alignment = alignRecord(stored.record, policy, organizationalDomain);
      for (const code of findContradictions(stored.record, alignment, policy))
        present(findings.get(stored.reportId)).add(code, null, stored.position);
      return { ...stored, alignment };
    });
    const corrected = aligned.filter(({ alignment }, i) => !isSame(alignment, page[i]?.alignment));
    await correct(database, orgId, waiting, corrected);
    for (const { reportId, day, record, alignment } of aligned) {
      const { domain } = present(policies.get(reportId));
      const named = present(names.get(reportId));
      named.addKeys(alignedSelectors(record, domain, organizationalDomain), day);
      named.addPasses(passedSignatures(record, alignment), record.count);
      named.addFailures(brokenSignatures(record, alignment), record.sourceIp, record.count);
      named.addSender(record.identifiers.headerFrom, domain, record.count, day);
    }
    seen.push(...page);
    if (seen.length >= NOTED_AT_ONCE) await note(database, orgId, reportIds, seen.splice(0));
  }
  await note(database, orgId, reportIds, seen);
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
    await noteChanges(session, orgId);
  });
}

/** Notes the sources of records, and keeps the lease on the judgement of their reports. */
async function note(
  database: Database,
  orgId: string,
  reportIds: string[],
  seen: readonly RecordToJudge[],
): Promise<void> {
  if (seen.length === 0) return;
  await transact(database, async (session) => {
    await keepJudging(session, orgId, reportIds);
    await noteSources(session, orgId, namedSources(seen));
    await noteSenders(session, orgId, seen);
  });
}

function isSame(one: RecordAlignment, other: RecordAlignment | undefined): boolean {
  return other !== undefined && areSame(one.dkim, other.dkim) && areSame(one.spf, other.spf);
}

function areSame(one: readonly boolean[] | null, other: readonly boolean[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((flag, i) => flag === other[i]);
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

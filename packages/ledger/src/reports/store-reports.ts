import type { ReportRecord } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import { newId, type Refusal } from '@dmarc-ledger/vocabulary';
import { addForwarded, type ForwardedOfDay } from '../rollups/add-forwarded.ts';
import { addToDaysAndTotals, addToSourceDomainDay, addToSources } from '../rollups/rollup-statements.ts';
import { monitorReported } from '../domains/monitor-reported.ts';
import { keepIndexing } from '../rollups/index-sources.ts';
import { addCopies, type Kept } from './add-copies.ts';
import { adoptIdentities, holdCutIds, nameAsSent } from './cut-ids.ts';
import { rereadUnreleased } from './reread-unreleased.ts';
import { RecordDetails } from './record-details.ts';
import { RECORD_COLUMNS, RecordLines, type RecordPlace } from './record-lines.ts';
import type { FactsOf, RecordsWriting, ReportCopy, StreamedRecords } from './report-facts.ts';
import { reportRow, revisionRow, warningRows } from './report-rows.ts';
import { ANNOUNCED_AT_ONCE, insertReports } from './store-statements.ts';
import { fitTotals, TOTAL_LIMIT } from './total-limit.ts';

/** The outcome of a copy: stored, or refused because the totals would exceed their limit. */
export type Stored = Kept | ({ outcome: 'refused' } & Refusal);

/** A copy with its records, if they are few enough for memory. */
export interface WholeCopy {
  copy: ReportCopy;
  records: readonly ReportRecord[];
  writing?: RecordsWriting | undefined;
}

/**
 * Stores several reports of one organization in the session's transaction, with their part of every rollup, and
 * announces the resulting work. Storing a report again changes nothing. Returns results in the order of the input.
 *
 * Rows are locked in the order that all writers use: reports, then details of records, then sources, then totals, then
 * days.
 */
export async function storeReports(
  session: Session,
  orgId: string,
  given: readonly WholeCopy[],
  factsOf: FactsOf,
): Promise<Stored[]> {
  const copies = given.map(({ copy }) => copy);
  await holdCutIds(session, orgId, copies);
  const names = await nameAsSent(session, orgId, copies);
  const reports = given.map((whole) => ({ ...whole, copy: names.get(whole.copy) ?? whole.copy }));
  const fits = await fitTotals(
    session,
    orgId,
    reports.map(({ copy }) => copy.sums),
  );
  const having = (isFitting: boolean) => reports.flatMap(({ copy }, i) => (fits[i] === isFitting ? [copy] : []));
  const { fresh, answers } = await enterReports(session, orgId, having(true));
  const further = await addCopies(session, orgId, having(false)); // a known copy adds nothing
  // in the order of their key, so that its index grows at one end and its pages are left full
  const counted = reports.filter(({ copy }) => fresh.has(copy.id)).toSorted((a, b) => (a.copy.id < b.copy.id ? -1 : 1));
  if (counted.length > 0) {
    const details = new RecordDetails();
    const forwarded: ForwardedOfDay[] = [];
    await session.copy(RECORD_COLUMNS, recordLines(orgId, counted, { details, forwarded, factsOf }));
    await details.keep(session, orgId);
    const reportIds = counted.map(({ copy }) => copy.id);
    await count(session, orgId, { reportIds, forwarded });
  }
  return reports.map(({ copy }, i) => {
    if (!fits[i]) return further.get(copy) ?? { outcome: 'refused', ...TOTAL_LIMIT };
    return answers.get(copy) ?? { outcome: 'stored', reportId: copy.id };
  });
}

/**
 * Inserts new reports, and adds copies to stored ones. A report that a purge deletes in between is neither, and is
 * inserted at the next attempt.
 */
async function enterReports(session: Session, orgId: string, copies: readonly ReportCopy[]) {
  const fresh = new Set<string>();
  const answers = new Map<ReportCopy, Kept>();
  for (let open = copies; open.length > 0;) {
    const ordered = open.toSorted((a, b) => Buffer.compare(a.identity, b.identity));
    for (const id of await insertFresh(session, orgId, ordered)) fresh.add(id);
    const known = open.filter(({ id }) => !fresh.has(id));
    for (const [copy, stored] of await addCopies(session, orgId, known)) answers.set(copy, stored);
    open = known.filter((copy) => !answers.has(copy));
  }
  return { fresh, answers };
}

/**
 * Stores one report of any size: its records arrive as a stream, and their sums are only known at its end. If the
 * identity already exists (`known`: the caller calls `addCopies`), or the totals would exceed their limit (`refused`),
 * the caller must roll back.
 */
export async function storeStreamed(
  session: Session,
  orgId: string,
  draft: Pick<ReportCopy, 'id' | 'domainId' | 'day' | 'header' | 'cutIdentity' | 'origin'>,
  { records, complete, writing, factsOf }: StreamedRecords & { factsOf: FactsOf },
): Promise<'stored' | 'known' | 'refused'> {
  const details = new RecordDetails();
  const lines = new RecordLines(placeOf(orgId, draft), details, factsOf);
  await session.copy(RECORD_COLUMNS, streamedLines(lines, records, writing));
  await holdCutIds(session, orgId, [draft]);
  const read = complete();
  const copy = (await nameAsSent(session, orgId, [read])).get(read) ?? read;
  const fresh = await insertFresh(session, orgId, [copy]);
  if (!fresh.has(draft.id)) return 'known';
  const [isFitting] = await fitTotals(session, orgId, [copy.sums]);
  if (!isFitting) return 'refused';
  await details.keep(session, orgId);
  await count(session, orgId, { reportIds: [draft.id], forwarded: [lines.forwarded] });
  return 'stored';
}

async function insertFresh(session: Session, orgId: string, copies: readonly ReportCopy[]): Promise<Set<string>> {
  await adoptIdentities(session, orgId, copies);
  const rows = await session.run<{ id: string }>(insertReports, [
    orgId,
    JSON.stringify(copies.map((copy) => reportRow(orgId, copy))),
    JSON.stringify(copies.map((copy) => revisionRow(orgId, copy.id, copy, true))),
    JSON.stringify(copies.flatMap((copy) => warningRows(orgId, copy))),
    Array.from({ length: Math.ceil(copies.length / ANNOUNCED_AT_ONCE) }, () => newId()),
  ]);
  const fresh = new Set(rows.map(({ id }) => id));
  await rereadUnreleased(
    session,
    orgId,
    copies.filter(({ id }) => fresh.has(id)),
  );
  return fresh;
}

/** Adds stored reports to every rollup: sources, totals, days. */
async function count(
  session: Session,
  orgId: string,
  { reportIds, forwarded }: { reportIds: string[]; forwarded: readonly ForwardedOfDay[] },
): Promise<void> {
  await session.run(addToSourceDomainDay, [orgId, reportIds]);
  await session.run(keepIndexing, [orgId]);
  const news = await session.run(addToSources, [orgId, reportIds]);
  const totals = [orgId, reportIds, JSON.stringify(news), 1, true];
  const [added] = await session.run<{ begun: string[] | null }>(addToDaysAndTotals, totals);
  await addForwarded(session, orgId, forwarded);
  if (added?.begun) await session.run(monitorReported, [orgId, added.begun]);
}

function placeOf(
  orgId: string,
  { id, domainId, day, header }: Pick<ReportCopy, 'id' | 'domainId' | 'day' | 'header'>,
): RecordPlace {
  return { orgId, reportId: id, domainId, day, policy: header.policyPublished };
}

interface Writing {
  details: RecordDetails;
  /** Gets what the lines of each report say of its day. */
  forwarded: ForwardedOfDay[];
  factsOf: FactsOf;
}

function* recordLines(
  orgId: string,
  reports: readonly WholeCopy[],
  { details, forwarded, factsOf }: Writing,
): Generator<string> {
  for (const { copy, records, writing } of reports) {
    writing?.begin();
    const lines = new RecordLines(placeOf(orgId, copy), details, factsOf);
    const text = textOf(lines, { before: 0, records }, writing);
    forwarded.push(lines.forwarded);
    if (text) yield text;
  }
}

async function* streamedLines(
  lines: RecordLines,
  batches: AsyncIterable<readonly ReportRecord[]>,
  writing: RecordsWriting | undefined,
): AsyncGenerator<string> {
  let before = 0;
  writing?.begin();
  for await (const records of batches) {
    const text = textOf(lines, { before, records }, writing);
    before += records.length;
    if (text) yield text;
  }
}

function textOf(
  lines: RecordLines,
  { before, records }: { before: number; records: readonly ReportRecord[] },
  writing: RecordsWriting | undefined,
): string {
  let text = '';
  for (const [i, record] of records.entries()) {
    const position = before + i + 1;
    const { line, alignment } = lines.write(record, position);
    text += line;
    writing?.add(record, alignment, position);
  }
  return text;
}

import { isImproved, type ReportRecord } from '@dmarc-ledger/dmarc';
import type { Session } from '@dmarc-ledger/schema';
import { newId, type Refusal } from '@dmarc-ledger/vocabulary';
import { announce } from '../due-work/announce-work.ts';
import { addToDaysAndTotals, addToSourceDomainDay, addToSources } from '../rollups/rollup-statements.ts';
import { type CopyWitness, improveCopies } from './improve-copies.ts';
import { RECORD_COLUMNS, recordLine, type RecordPlace } from './record-lines.ts';
import type { ReportCopy, StreamedRecords } from './report-facts.ts';
import { reportRow, revisionRow, warningRows } from './report-rows.ts';
import { ANNOUNCED_AT_ONCE, findCopies, holdIdentities, insertReports, insertRevisions } from './store-statements.ts';
import { fitTotals, TOTAL_LIMIT } from './total-limit.ts';

/** A stored copy: counted, identical bytes, or another text with the same identity. */
export interface Kept {
  outcome: 'stored' | 'duplicate' | 'conflict';
  reportId: string;
}

/** The outcome of a copy: stored, or refused because the totals would exceed their limit. */
export type Stored = Kept | ({ outcome: 'refused' } & Refusal);

/** A copy with its records, if they are few enough for memory. */
export interface WholeCopy {
  copy: ReportCopy;
  records: readonly ReportRecord[];
}

/**
 * Stores several reports of one organization in the session's transaction, with their part of every rollup, and
 * announces the resulting work. Storing a report again changes nothing. Returns results in the order of the input.
 *
 * Rows are locked in the order that all writers use: reports, then sources, then days, then totals.
 */
export async function storeReports(session: Session, orgId: string, reports: readonly WholeCopy[]): Promise<Stored[]> {
  const fits = await fitTotals(
    session,
    orgId,
    reports.map(({ copy }) => copy.sums),
  );
  const having = (isFitting: boolean) => reports.flatMap(({ copy }, i) => (fits[i] === isFitting ? [copy] : []));
  const { fresh, answers } = await enterReports(session, orgId, having(true));
  const further = await addCopies(session, orgId, having(false)); // a known copy adds nothing
  const counted = reports
    .filter(({ copy }) => fresh.has(copy.id))
    .toSorted((a, b) => Buffer.compare(a.copy.identity, b.copy.identity));
  if (counted.length > 0) {
    await session.copy(RECORD_COLUMNS, recordLines(orgId, counted));
    await count(
      session,
      orgId,
      counted.map(({ copy }) => copy.id),
    );
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
  draft: Pick<ReportCopy, 'id' | 'domainId' | 'day' | 'header'>,
  { records, complete }: StreamedRecords,
): Promise<'stored' | 'known' | 'refused'> {
  await session.copy(RECORD_COLUMNS, streamedLines(placeOf(orgId, draft), records));
  const copy = complete();
  const fresh = await insertFresh(session, orgId, [copy]);
  if (!fresh.has(draft.id)) return 'known';
  const [isFitting] = await fitTotals(session, orgId, [copy.sums]);
  if (!isFitting) return 'refused';
  await count(session, orgId, [draft.id]);
  return 'stored';
}

/**
 * Adds further copies of stored reports: for identical bytes it stores what their mail says; other copies wait to be
 * compared. A copy whose report is not stored (any more) gets no result.
 */
export async function addCopies(
  session: Session,
  orgId: string,
  copies: readonly ReportCopy[],
): Promise<Map<ReportCopy, Kept>> {
  const answers = new Map<ReportCopy, Kept>();
  if (copies.length === 0) return answers;
  const identities = copies.map(({ identity }) => identity);
  const payloads = copies.map(({ origin }) => origin.payloadSha256);
  await session.run(holdIdentities, [orgId, identities]);
  const held = await session.run<HeldCopy>(findCopies, [orgId, identities, payloads]);
  const conflicts = new Map<string, NewCopy>();
  const witnesses: CopyWitness[] = [];
  for (const copy of copies) {
    const same = held.filter(({ identity }) => identity.equals(copy.identity));
    const reportId = same[0]?.id;
    if (reportId === undefined) continue;
    const known = same.find(({ payload_sha256 }) => payload_sha256?.equals(copy.origin.payloadSha256));
    answers.set(copy, { outcome: outcomeOf(copy, known), reportId });
    const key = `${reportId} ${copy.origin.payloadSha256.toString('hex')}`;
    if (known ? isImproved(toWitness(known), copy.origin) : conflicts.has(key))
      witnesses.push({ ...copy.origin, reportId });
    else if (!known) conflicts.set(key, { copy, reportId });
  }
  await addConflicts(session, orgId, [...conflicts.values()]);
  await improveCopies(session, orgId, witnesses);
  return answers;
}

/** A new copy of a stored report. */
interface NewCopy {
  copy: ReportCopy;
  reportId: string;
}

async function addConflicts(session: Session, orgId: string, copies: readonly NewCopy[]): Promise<void> {
  if (copies.length === 0) return;
  const rows = copies.map(({ copy, reportId }) => revisionRow(orgId, reportId, copy, false));
  await session.run(insertRevisions, [JSON.stringify(rows)]);
  const reportIds = new Set(copies.map(({ reportId }) => reportId));
  await announce(
    session,
    orgId,
    [...reportIds].map((reportId) => ({ job: 'settleReport', payload: { orgId, reportId } })),
  );
}

interface HeldCopy {
  id: string;
  identity: Buffer;
  counted: Buffer;
  payload_sha256: Buffer | null;
  message_id: string | null;
  authenticated: boolean | null;
  mail_received_at: Date | null;
}

function toWitness({ counted, payload_sha256, authenticated, mail_received_at }: HeldCopy) {
  return { payloadSha256: payload_sha256 ?? counted, authenticated, mailReceivedAt: mail_received_at };
}

/** A copy that this delivery brought counts as stored, not as a duplicate: an earlier run stored it. */
function outcomeOf({ origin }: ReportCopy, known: HeldCopy | undefined): Kept['outcome'] {
  if (!known) return 'conflict';
  if (known.message_id !== origin.messageId) return 'duplicate';
  return known.counted.equals(origin.payloadSha256) ? 'stored' : 'conflict';
}

async function insertFresh(session: Session, orgId: string, copies: readonly ReportCopy[]): Promise<Set<string>> {
  const rows = await session.run<{ id: string }>(insertReports, [
    orgId,
    JSON.stringify(copies.map((copy) => reportRow(orgId, copy))),
    JSON.stringify(copies.map((copy) => revisionRow(orgId, copy.id, copy, true))),
    JSON.stringify(copies.flatMap((copy) => warningRows(orgId, copy))),
    Array.from({ length: Math.ceil(copies.length / ANNOUNCED_AT_ONCE) }, () => newId()),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Adds stored reports to every rollup: sources before days, totals last. */
async function count(session: Session, orgId: string, reportIds: string[]): Promise<void> {
  await session.run(addToSourceDomainDay, [orgId, reportIds]);
  const news = await session.run(addToSources, [orgId, reportIds]);
  await session.run(addToDaysAndTotals, [orgId, reportIds, JSON.stringify(news), 1, true]);
}

function placeOf(
  orgId: string,
  { id, domainId, day, header }: Pick<ReportCopy, 'id' | 'domainId' | 'day' | 'header'>,
): RecordPlace {
  return { orgId, reportId: id, domainId, day, policy: header.policyPublished };
}

function* recordLines(orgId: string, reports: readonly WholeCopy[]): Generator<string> {
  for (const { copy, records } of reports) {
    const place = placeOf(orgId, copy);
    let lines = '';
    for (let i = 0; i < records.length; i += 1) lines += recordLine(place, i + 1, records[i]!);
    if (lines) yield lines;
  }
}

async function* streamedLines(
  place: RecordPlace,
  batches: AsyncIterable<readonly ReportRecord[]>,
): AsyncGenerator<string> {
  let position = 0;
  for await (const batch of batches) {
    let lines = '';
    for (const record of batch) lines += recordLine(place, (position += 1), record);
    if (lines) yield lines;
  }
}

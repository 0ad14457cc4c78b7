import type { ReportRecord } from '@dmarc-ledger/dmarc';
import { newId } from '@dmarc-ledger/vocabulary';
import type { Session } from '../transaction.ts';
import { announce } from './announce-work.ts';
import { improveCopies, isImproved, type CopyWitness } from './improve-copies.ts';
import { recordLine, RECORD_COLUMNS } from './record-lines.ts';
import type { ReportCopy } from './report-facts.ts';
import { reportRow, revisionRow, warningRows } from './report-rows.ts';
import { addToDaysAndTotals, addToSourceDomainDay, addToSources } from './rollup-statements.ts';
import { ANNOUNCED_AT_ONCE, findCopies, holdIdentities, insertReports, insertRevisions } from './store-statements.ts';

/** What became of a copy: counted, the same bytes as one we have, or another text under the same identity. */
export type Stored = { outcome: 'stored' | 'duplicate' | 'conflict'; reportId: string };

/** A copy with its records, when there are few enough to hold. */
export interface WholeCopy {
  copy: ReportCopy;
  records: readonly ReportRecord[];
}

/**
 * Stores several reports of one organization in the session's transaction, with their part of every rollup, and
 * announces the work that follows. Whatever is there already changes nothing. Answers in the order of the input.
 */
export async function storeReports(session: Session, orgId: string, reports: readonly WholeCopy[]): Promise<Stored[]> {
  const ordered = reports.toSorted((a, b) => Buffer.compare(a.copy.identity, b.copy.identity));
  const fresh = await insertFresh(
    session,
    orgId,
    ordered.map(({ copy }) => copy),
  );
  const counted = ordered.filter(({ copy }) => fresh.has(copy.id));
  if (counted.length > 0) {
    await session.copy(RECORD_COLUMNS, recordLines(orgId, counted));
    await count(
      session,
      orgId,
      counted.map(({ copy }) => copy.id),
    );
  }
  const known = reports.map(({ copy }) => copy).filter(({ id }) => !fresh.has(id));
  const answers = await addCopies(session, orgId, known);
  return reports.map(({ copy }) => answers.get(copy) ?? { outcome: 'stored', reportId: copy.id });
}

/**
 * Stores one report of any size: its records arrive as a stream, and only at their end is it known what they add up to.
 * When the identity turns out to be there already, nothing of it may stay: the caller rolls back and calls `addCopies`.
 */
export async function storeStreamed(
  session: Session,
  orgId: string,
  place: { id: string; domainId: string; day: string },
  records: AsyncIterable<readonly ReportRecord[]>,
  complete: () => ReportCopy,
): Promise<'stored' | 'known'> {
  await session.copy(RECORD_COLUMNS, streamedLines({ orgId, reportId: place.id, ...place }, records));
  const fresh = await insertFresh(session, orgId, [complete()]);
  if (!fresh.has(place.id)) return 'known';
  await count(session, orgId, [place.id]);
  return 'stored';
}

/**
 * Notes further copies of reports that are held: of the same bytes it keeps what their mail says, others wait to be
 * compared.
 */
export async function addCopies(
  session: Session,
  orgId: string,
  copies: readonly ReportCopy[],
): Promise<Map<ReportCopy, Stored>> {
  const answers = new Map<ReportCopy, Stored>();
  if (copies.length === 0) return answers;
  const identities = copies.map(({ identity }) => identity);
  const payloads = copies.map(({ origin }) => origin.payloadSha256);
  await session.run(holdIdentities, [orgId, identities]);
  const held = await session.run<HeldCopy>(findCopies, [orgId, identities, payloads]);
  const conflicts = new Map<string, ReportCopy>();
  const witnesses: CopyWitness[] = [];
  for (const copy of copies) {
    const same = held.filter(({ identity }) => identity.equals(copy.identity));
    const reportId = same[0]!.id;
    const known = same.find(({ payload_sha256 }) => payload_sha256?.equals(copy.origin.payloadSha256));
    answers.set(copy, { outcome: outcomeOf(copy, known), reportId });
    const key = `${reportId} ${copy.origin.payloadSha256.toString('hex')}`;
    if (known ? isImproved(toWitness(known), copy.origin) : conflicts.has(key))
      witnesses.push({ ...copy.origin, reportId });
    else if (!known) conflicts.set(key, copy);
  }
  await addConflicts(session, orgId, [...conflicts.values()], answers);
  await improveCopies(session, orgId, witnesses);
  return answers;
}

async function addConflicts(
  session: Session,
  orgId: string,
  copies: readonly ReportCopy[],
  answers: ReadonlyMap<ReportCopy, Stored>,
): Promise<void> {
  if (copies.length === 0) return;
  const rows = copies.map((copy) => revisionRow(orgId, answers.get(copy)!.reportId, copy, false));
  await session.run(insertRevisions, [JSON.stringify(rows)]);
  await announce(
    session,
    orgId,
    rows.map(({ report_id }) => ({ job: 'settleReport', payload: { orgId, reportId: report_id } })),
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

/** A copy that this very delivery brought is stored, not a duplicate: an earlier run got that far. */
function outcomeOf({ origin }: ReportCopy, known: HeldCopy | undefined): Stored['outcome'] {
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

/** Adds stored reports to every rollup. Sources before days, totals last. */
async function count(session: Session, orgId: string, reportIds: string[]): Promise<void> {
  await session.run(addToSourceDomainDay, [orgId, reportIds]);
  const news = await session.run(addToSources, [orgId, reportIds]);
  await session.run(addToDaysAndTotals, [orgId, reportIds, JSON.stringify(news), 1, true]);
}

function* recordLines(orgId: string, reports: readonly WholeCopy[]): Generator<string> {
  for (const { copy, records } of reports) {
    const place = { orgId, reportId: copy.id, domainId: copy.domainId, day: copy.day };
    let lines = '';
    for (let i = 0; i < records.length; i += 1) lines += recordLine(place, i + 1, records[i]!);
    if (lines) yield lines;
  }
}

async function* streamedLines(
  place: Parameters<typeof recordLine>[0],
  batches: AsyncIterable<readonly ReportRecord[]>,
): AsyncGenerator<string> {
  let position = 0;
  for await (const batch of batches) {
    let lines = '';
    for (const record of batch) lines += recordLine(place, (position += 1), record);
    if (lines) yield lines;
  }
}

import type { BlobStore } from '@dmarc-ledger/blobs';
import {
  countEnded,
  type EndedMessage,
  findDomainId,
  findStored,
  type MeasuredReport,
  measureReports,
  type ReplayScope,
  type StoredReport,
} from '@dmarc-ledger/ledger';
import type { Database, MessagePart } from '@dmarc-ledger/schema';
import { noSums, publicSuffixDomains, reportDay } from '@dmarc-ledger/dmarc';
import { idText, present } from '@dmarc-ledger/vocabulary';
import { findHeldBack, heldPart, isRebuilt } from '../intake/hold-reports.ts';
import { finishedMessage, refusedPart, reportedPart } from '../intake/message-parts.ts';
import { reportIdentity } from '../intake/report-identity.ts';
import { isRefusal } from '../intake/read-documents.ts';
import type { Reread } from '../intake/reread-copy.ts';
import { batchesOf, reportIdsOf } from './batches.ts';
import { compareReport } from './compare-report.ts';
import { judgeRecords, type JudgeNeeds } from './judge-records.ts';
import { previewDelivery, type FoundReport } from './preview-delivery.ts';
import { addEnding, addFigures, doneOf, noFigures, noSummary, type Figures, type ReplaySummary } from './summary.ts';

export interface PreviewNeeds {
  database: Database;
  blobs: BlobStore;
  onProgress?: (progress: { received: number; done: number }) => void;
  /** Whether the deliveries are read as if a person had released them. */
  isReleased?: boolean | undefined;
}

type Needs = JudgeNeeds & PreviewNeeds;

interface Preview {
  summary: ReplaySummary;
  /** Identities of reports that would be added, so that each counts once. */
  added: Set<string>;
  /** Contents (SHA-256 in hex) that would be held: what repeats them would be read by itself. */
  held: Set<string>;
}

/** What a replay would change: everything is read, aligned and classified in memory, and nothing is written. */
export async function previewReplay(given: PreviewNeeds, orgId: string, scope: ReplayScope): Promise<ReplaySummary> {
  const needs: Needs = { ...given, organizationalDomain: publicSuffixDomains() };
  const preview: Preview = { summary: noSummary(), added: new Set(), held: new Set() };
  const { deliveries } = preview.summary;
  const received = await countEnded(needs.database.db, orgId, scope);
  for await (const { present, missing } of batchesOf(needs, orgId, scope)) {
    deliveries.missing.push(...missing.map(({ message, fault }) => ({ id: idText(message.id), ...fault })));
    for (const delivery of present) {
      await previewOne(needs, orgId, delivery, preview);
      needs.onProgress?.({ received, done: doneOf(preview.summary) });
    }
  }
  return preview.summary;
}

async function previewOne(needs: Needs, orgId: string, delivery: EndedMessage, preview: Preview): Promise<void> {
  const { db } = needs.database;
  const { opened, parts, reports } = await previewDelivery(
    needs,
    orgId,
    releasedIf(needs.isReleased, delivery),
    preview.held,
  );
  const stored = await storedOf(needs, orgId, delivery, reports);
  const measured = new Map(
    (
      await measureReports(
        db,
        orgId,
        [...stored.values()].map(({ id }) => id),
      )
    ).map((report) => [report.id, report]),
  );
  const found = reports.map((report) => ({
    report,
    delivery: opened,
    header: report.reread.header,
    payloadSha256: report.sha256,
  }));
  const heldBack = await findHeldBack(db, orgId, found);
  for (const one of found) {
    const { report } = one;
    const key = identityOf(report.reread);
    const finding = { delivery, report, stored: stored.get(key), measured };
    if (heldBack.has(one)) {
      const sha256 = report.sha256.toString('hex');
      preview.held.add(sha256);
      parts.push(heldPart({ path: '', sha256, isImported: isRebuilt(opened) }, one.header, noSums()));
      continue;
    }
    try {
      parts.push(await previewReport(needs, orgId, finding, preview));
      stored.delete(key);
    } catch (error) {
      if (!isRefusal(error)) throw error; // met only when its records are read
      parts.push(refusedPart('', null, error));
    }
  }
  for (const { id, messageId } of stored.values()) {
    if (messageId !== delivery.message.id) continue;
    preview.summary.reports.removed += 1; // it is counted from here, and would not be found here
    addFigures(preview.summary.before, present(measured.get(id)));
  }
  const { state, code } = finishedMessage(opened, parts);
  addEnding(preview.summary, delivery, { state, code });
}

function releasedIf(isReleased = false, delivery: EndedMessage): EndedMessage {
  return isReleased ? { ...delivery, message: { ...delivery.message, isReleased } } : delivery;
}

/** The reports that the delivery has contained so far and those that it contains by the current rules, by identity. */
async function storedOf(
  { database: { db } }: PreviewNeeds,
  orgId: string,
  delivery: EndedMessage,
  reports: readonly FoundReport[],
): Promise<Map<string, StoredReport>> {
  const identities = reports.map(({ reread }) => reportIdentity(reread.header));
  const [stored, found] = await Promise.all([
    findStored(db, orgId, { ids: reportIdsOf([delivery]) }),
    findStored(db, orgId, { identities }),
  ]);
  return new Map([...stored, ...found].map((report) => [report.identity.toString('hex'), report]));
}

interface Finding {
  delivery: EndedMessage;
  report: FoundReport;
  stored: StoredReport | undefined;
  measured: ReadonlyMap<string, MeasuredReport>;
}

async function previewReport(
  needs: Needs,
  orgId: string,
  { delivery, report: { sha256, reread }, stored, measured }: Finding,
  { summary, added }: Preview,
): Promise<MessagePart> {
  const key = identityOf(reread);
  const entry = (outcome: 'stored' | 'duplicate', { rows: records, messages }: Pick<Figures, 'rows' | 'messages'>) =>
    reportedPart({
      path: '',
      sha256: sha256.toString('hex'),
      kind: 'rua',
      outcome,
      report: { id: stored?.id ?? '', records, messages },
      warnings: [],
    });
  if (!stored) {
    if (added.has(key)) return entry('duplicate', noFigures());
    added.add(key);
    const figures = await figuresOf(needs, orgId, delivery, reread);
    summary.reports.added += 1;
    addFigures(summary.after, figures);
    return entry('stored', figures);
  }
  const before = present(measured.get(stored.id));
  if (stored.messageId !== delivery.message.id || !stored.payloadSha256.equals(sha256))
    return entry('duplicate', before);
  const difference = await compareReport(needs, orgId, stored, reread);
  const after = difference === 'none' ? before : await figuresOf(needs, orgId, delivery, reread);
  summary.reports[({ none: 'unchanged', judgement: 'rejudged', facts: 'changed' } as const)[difference]] += 1;
  addFigures(summary.before, before);
  addFigures(summary.after, after);
  return entry('stored', after);
}

/** What a report would add to the figures. */
async function figuresOf(
  needs: JudgeNeeds,
  orgId: string,
  { message }: EndedMessage,
  { header, records }: Reread,
): Promise<Figures> {
  const figures = noFigures();
  const { policyPublished: policy, metadata } = header;
  const domainId = await findDomainId(needs.database.db, orgId, policy.domain);
  const place = { domainId, day: reportDay(metadata, Math.floor(message.receivedAt.getTime() / 1000)) };
  for await (const batch of records()) {
    const judged = await judgeRecords(needs, orgId, { policy, place }, batch);
    for (const [i, { count }] of batch.entries()) {
      figures.rows += 1;
      figures.messages += count;
      figures.classes[present(judged[i]).class] += count;
    }
  }
  return figures;
}

function identityOf({ header }: Reread): string {
  return reportIdentity(header).toString('hex');
}

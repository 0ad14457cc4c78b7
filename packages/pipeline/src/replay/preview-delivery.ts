import type { EndedMessage } from '@dmarc-ledger/ledger';
import type { Database, Db, MessagePart } from '@dmarc-ledger/schema';
import type { BlobStore } from '@dmarc-ledger/blobs';
import { findFirstDelivery, isTakenWhole } from '../intake/known-contents.ts';
import type { LargeDocument } from '../intake/large-reading.ts';
import { duplicatePart, refusedPart, reportedPart, untakenParts } from '../intake/message-parts.ts';
import {
  closeDelivery,
  documentsOf,
  openDelivery,
  type OpenedDelivery,
  type OpenedDocument,
} from '../intake/open-delivery.ts';
import { isRefusal } from '../intake/read-documents.ts';
import { rereadLarge, rereadWhole, type Reread } from '../intake/reread-copy.ts';
import { asWhole, domainsOfOwner, findTargets } from '../intake/route-delivery.ts';
import { contentHash } from '@dmarc-ledger/vocabulary';
import { chooseReport } from '../intake/selection.ts';
import { takeDocument, recordsRefusals, type TakenDocument } from '../intake/take-document.ts';

/** An aggregate report that the current reader finds in a delivery. */
export interface FoundReport {
  sha256: Buffer;
  reread: Reread;
}

export interface PreviewedDelivery {
  opened: OpenedDelivery;
  /** The outcomes of everything but the aggregate reports. */
  parts: MessagePart[];
  reports: FoundReport[];
}

interface Needs {
  database: Database;
  blobs: BlobStore;
}

/**
 * Opens a delivery as intake would now, and writes nothing. A known content is read nevertheless where it would be held
 * by then.
 */
export async function previewDelivery(
  needs: Needs,
  orgId: string,
  { message }: EndedMessage,
  held: ReadonlySet<string>,
): Promise<PreviewedDelivery> {
  const delivery = await openDelivery(needs.blobs, message);
  const opened = message.mailboxes?.isShared ? await routed(needs, orgId, delivery) : asWhole(delivery);
  const preview: PreviewedDelivery = { opened, parts: [], reports: [] };
  try {
    for await (const document of documentsOf(opened)) {
      await previewDocument(needs.database, orgId, document, { preview, held });
      opened.readings.delete(document);
    }
    return preview;
  } finally {
    await closeDelivery(opened);
  }
}

async function routed(needs: Needs, orgId: string, delivery: OpenedDelivery): Promise<OpenedDelivery> {
  const targets = await findTargets(needs, delivery);
  const onlyDomains = domainsOfOwner(targets, orgId, delivery);
  targets.delete(orgId);
  return { ...delivery, selection: { onlyDomains, others: [...targets.values()] } };
}

async function previewDocument(
  { db }: Database,
  orgId: string,
  document: OpenedDocument,
  { preview: { opened, parts, reports }, held }: { preview: PreviewedDelivery; held: ReadonlySet<string> },
): Promise<void> {
  const { path } = document;
  if (document.kind === 'refused') {
    if (recordsRefusals(opened)) parts.push(refusedPart(path, null, document.refusal));
    return;
  }
  const sha256 =
    document.kind === 'whole' ? Buffer.from(document.sha256, 'hex') : await contentHash(document.document.open());
  const hex = sha256.toString('hex');
  const isKnown = isTakenWhole(opened) && !held.has(hex);
  const first = isKnown ? await findFirstDelivery(db, orgId, opened, hex) : undefined;
  if (first !== undefined) {
    parts.push(duplicatePart(path, hex, first));
    return;
  }
  const taken =
    document.kind === 'whole'
      ? await takeDocument(document, opened)
      : await takeLarge(db, orgId, { opened, large: document, hex, isHeld: held.has(hex) });
  const rereads = 'rereads' in taken ? taken.rereads : taken.readings.map(rereadWhole);
  for (const part of taken.parts) parts.push(part);
  for (const other of 'others' in taken ? taken.others : []) parts.push(otherPart(path, sha256, other.kind));
  for (const reread of rereads) reports.push({ sha256, reread });
}

/** A large document holds one report, so its content is known once another delivery took it, also for some domains. */
async function takeLarge(
  db: Db,
  orgId: string,
  { opened, large, hex, isHeld }: { opened: OpenedDelivery; large: LargeDocument; hex: string; isHeld: boolean },
): Promise<{ rereads: Reread[]; parts: MessagePart[] }> {
  const place = { path: large.path, sha256: hex, kind: 'rua' as const };
  try {
    const reread = await rereadLarge(opened, large);
    const domains = [reread.header.policyPublished.domain];
    const choice = chooseReport(opened.selection, domains);
    const first = choice.kind === 'taken' && !isHeld ? await findFirstDelivery(db, orgId, opened, hex) : undefined;
    if (first !== undefined) return { rereads: [], parts: [duplicatePart(large.path, hex, first)] };
    return { rereads: choice.kind === 'taken' ? [reread] : [], parts: untakenParts(place, choice, domains) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { rereads: [], parts: recordsRefusals(opened) ? [refusedPart(large.path, null, error)] : [] };
  }
}

/** A report of another kind is in no figure, so its being readable is the only outcome. */
function otherPart(path: string, sha256: Buffer, kind: TakenDocument['others'][number]['kind']): MessagePart {
  const report = { id: '', records: 0, messages: 0 };
  return reportedPart({ path, sha256: sha256.toString('hex'), kind, outcome: 'stored', report, warnings: [] });
}

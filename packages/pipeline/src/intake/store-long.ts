import { type CopyKey, requeueRepeats } from '@dmarc-ledger/ledger';
import { isDataError, type MessagePart, transact } from '@dmarc-ledger/schema';
import { DeliveryParts } from './delivery-parts.ts';
import { endDeliveries } from './end-deliveries.ts';
import { knownContents } from './known-contents.ts';
import type { LargeDocument } from './large-reading.ts';
import { finishedMessage, refusedPart, UNSTORABLE } from './message-parts.ts';
import { documentsOf, type OpenedDelivery, type OpenedDocument } from './open-delivery.ts';
import { isRefusal, type WholeDocument } from './read-documents.ts';
import { readLoad, type ReadLoad } from './read-load.ts';
import { keepStored, prepareLoad, storePrepared, type StoreNeeds } from './store-batches.ts';
import { holdDoubted, reviewCopies } from './review-copies.ts';
import { storeStream } from './store-stream.ts';
import { recordsRefusals } from './take-document.ts';
import { holdNamed, holdRepeated, witnessRepeats } from './witness-repeats.ts';

/**
 * The most that is in memory before it is stored. Of known documents, many are in one group, because each group reads
 * all parts of the deliveries that brought them first.
 */
const GROUP = { bytes: 4 * 1024 ** 2, documents: 1_000 };

/** The most that is stored in one transaction, beside known documents. */
const TRANSACTION = { reports: 50, records: 5_000 };

/**
 * Stores a delivery that is too large for one transaction: its documents in groups, each in a transaction, and streams
 * for those too large for memory; how the delivery ended comes last. Run again, it finds what an earlier run has
 * stored.
 */
export async function storeLong(needs: StoreNeeds, orgId: string, delivery: OpenedDelivery): Promise<void> {
  const parts = new DeliveryParts();
  const storing = new LongStoring(needs, orgId, delivery, parts);
  for await (const document of documentsOf(delivery)) await storing.take(document);
  await storing.store();
  const ending = finishedMessage(delivery, parts.list());
  const { openedAt, message } = delivery;
  await transact(needs.database, async (session) => {
    await holdNamed(session, orgId, ending.parts);
    const doubted = await holdDoubted(session, orgId, [delivery]);
    await endDeliveries(session, needs.blobs, orgId, [{ message, ending }]);
    await requeueRepeats(session, orgId, storing.held);
    await reviewCopies(session, orgId, doubted);
  });
  needs.observer?.finished({ ...ending, orgId, source: message.source, openedAt });
}

class LongStoring {
  readonly #needs: StoreNeeds;
  readonly #orgId: string;
  readonly #delivery: OpenedDelivery;
  readonly #parts: DeliveryParts;
  /** The contents of this delivery that were taken: the same document may be in it many times. */
  readonly #taken = new Map<string, string>();
  /** The copies that are held now, whose repeats are to say so too. */
  readonly held: CopyKey[] = [];
  #group: OpenedDocument[] = [];
  #bytes = 0;

  constructor(needs: StoreNeeds, orgId: string, delivery: OpenedDelivery, parts: DeliveryParts) {
    this.#needs = needs;
    this.#orgId = orgId;
    this.#delivery = delivery;
    this.#parts = parts;
  }

  async take(document: OpenedDocument): Promise<void> {
    if (document.kind === 'large') return await this.#stream(document);
    this.#group.push(document);
    if (document.kind === 'whole') this.#bytes += document.bytes.length;
    if (this.#bytes >= GROUP.bytes || this.#group.length >= GROUP.documents) await this.store();
  }

  /** Stores the read documents, in as many transactions as their records need. */
  async store(): Promise<void> {
    const documents = this.#group.splice(0);
    this.#bytes = 0;
    const known = await knownContents(this.#needs.database.db, this.#orgId, documents);
    let read = emptyLoad(this.#delivery);
    for (const document of documents) {
      join(read, await readLoad([{ delivery: this.#delivery, documents: [document] }], { known, taken: this.#taken }));
      this.#delivery.readings.delete(document);
      if (reportsIn(read) < TRANSACTION.reports && recordsIn(read) < TRANSACTION.records) continue;
      await this.#storeRead(read);
      read = emptyLoad(this.#delivery);
    }
    await this.#storeRead(read);
  }

  async #storeRead(read: ReadLoad): Promise<void> {
    try {
      this.#parts.add(await this.#inOneTransaction(read));
    } catch (error) {
      if (!isDataError(error)) throw error;
      this.#parts.add(await this.#inOneTransaction({ ...read, reports: [], others: [] }));
      for (const report of read.reports) await this.#storeOne({ reports: [report], others: [] }, report.document);
      for (const other of read.others) await this.#storeOne({ reports: [], others: [other] }, other.document);
    }
  }

  /** Stores one report by itself: a value that the database rejects concerns only this report. */
  async #storeOne(one: Pick<ReadLoad, 'reports' | 'others'>, { path, sha256 }: WholeDocument): Promise<void> {
    try {
      this.#parts.add(await this.#inOneTransaction({ ...emptyLoad(this.#delivery), ...one }));
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (recordsRefusals(this.#delivery)) this.#parts.add([refusedPart(path, sha256, UNSTORABLE)]);
    }
  }

  async #inOneTransaction(read: ReadLoad): Promise<readonly MessagePart[]> {
    const prepared = await prepareLoad(this.#needs, this.#orgId, read);
    const outcomes = await transact(this.#needs.database, async (session) => {
      const held = await holdRepeated(session, this.#orgId, prepared.repeats);
      const stored = await storePrepared(session, this.#orgId, prepared);
      await witnessRepeats(session, this.#orgId, prepared.repeats, held);
      return stored;
    });
    keepStored(this.#needs, prepared);
    this.held.push(...prepared.held);
    return outcomes.get(this.#delivery) ?? [];
  }

  async #stream(document: LargeDocument): Promise<void> {
    await this.store();
    try {
      this.#parts.add(
        await storeStream(this.#needs, this.#orgId, { delivery: this.#delivery, large: document }, this.held),
      );
    } catch (error) {
      const refusal = isDataError(error) ? UNSTORABLE : isRefusal(error) ? error : undefined;
      if (!refusal) throw error;
      if (recordsRefusals(this.#delivery)) this.#parts.add([refusedPart(document.path, null, refusal)]);
    }
  }
}

function emptyLoad(delivery: OpenedDelivery): ReadLoad {
  return { parts: new Map([[delivery, []]]), reports: [], others: [], repeats: [] };
}

function join(load: ReadLoad, more: ReadLoad): void {
  for (const [delivery, parts] of more.parts) for (const part of parts) load.parts.get(delivery)?.push(part);
  for (const report of more.reports) load.reports.push(report);
  for (const other of more.others) load.others.push(other);
  for (const repeat of more.repeats) load.repeats.push(repeat);
}

function reportsIn({ reports, others }: ReadLoad): number {
  return reports.length + others.length;
}

function recordsIn({ reports }: ReadLoad): number {
  return reports.reduce((sum, { reading }) => sum + reading.records.length, 0);
}

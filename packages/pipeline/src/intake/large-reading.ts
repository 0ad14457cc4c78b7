import { createHash } from 'node:crypto';
import { type ReportCopy } from '@dmarc-ledger/ledger';
import { addRecord, noSums, type ReportHeader, type ReportRecord, type ReportSums } from '@dmarc-ledger/dmarc';
import { readHeader, ReportError, streamReport, type FeedbackEvent } from '@dmarc-ledger/rua';
import type { Meter } from '@dmarc-ledger/unpack';
import type { Warning } from '@dmarc-ledger/vocabulary';
import { copyOrigin } from './copy-origin.ts';
import type { OpenedDelivery, OpenedDocument } from './open-delivery.ts';
import { contextOf, merged } from './read-documents.ts';
import { makeCopy } from './report-copy.ts';

/** A document that is streamed, as it is too large to be read whole. */
export type LargeDocument = Extract<OpenedDocument, { kind: 'large' }>;

const UNKNOWN = Buffer.alloc(32);
const recordMeters = new WeakMap<LargeDocument, readonly Meter[]>();

/** Reads up to the first record; a header after the records takes a pass of its own. */
export async function beginReading(delivery: OpenedDelivery, large: LargeDocument): Promise<LargeReading> {
  try {
    return await LargeReading.begin(delivery, large);
  } catch (error) {
    if (!(error instanceof ReportError) || error.code !== 'header_after_records') throw error;
    const header = await readHeader(large.document.open(), contextOf(delivery, large));
    return await LargeReading.begin(delivery, large, header);
  }
}

/** The header of a large document's report, wherever in the document it is. */
export async function headerOf(delivery: OpenedDelivery, large: LargeDocument): Promise<ReportHeader> {
  const reading = await beginReading(delivery, large);
  await reading.close();
  return reading.header;
}

/** One pass over a large document that hashes it and sums up its records. */
export class LargeReading {
  readonly header: ReportHeader;
  readonly #delivery: OpenedDelivery;
  readonly #large: LargeDocument;
  readonly #content: HashedContent;
  readonly #events: AsyncGenerator<FeedbackEvent, void, undefined>;
  readonly #sums = noSums();
  #warnings: Warning[] = [];

  private constructor(
    report: { delivery: OpenedDelivery; large: LargeDocument },
    content: HashedContent,
    events: AsyncGenerator<FeedbackEvent, void, undefined>,
    header: ReportHeader,
  ) {
    this.#delivery = report.delivery;
    this.#large = report.large;
    this.#content = content;
    this.#events = events;
    this.header = header;
  }

  /** Reads the header. Throws `header_after_records` when a header that was not given comes after the records. */
  static async begin(delivery: OpenedDelivery, large: LargeDocument, header?: ReportHeader): Promise<LargeReading> {
    const content = new HashedContent(large.document.open());
    const events = streamReport(content, { ...contextOf(delivery, large), header });
    try {
      const first = await events.next();
      if (first.done || first.value.type !== 'header') throw new Error('A report begins with its header.');
      return new LargeReading({ delivery, large }, content, events, first.value.header);
    } catch (error) {
      await content.close();
      throw error;
    }
  }

  /** Its records, in order, counted against the delivery's budget. May be iterated once. */
  async *batches(): AsyncGenerator<ReportRecord[]> {
    const meters = this.#recordMeters();
    for await (const event of this.#events) {
      if (event.type === 'end') this.#warnings = merged(this.#large.warnings, event.warnings);
      if (event.type !== 'records') continue;
      for (const record of event.records) addRecord(this.#sums, record);
      for (const meter of meters) meter.reach(this.#sums.records);
      yield event.records;
    }
  }

  /** The draft as it is known before the records: everything but the sums, the warnings and the hash of the content. */
  draft(place: { domainId: string; reporterId: string }): ReportCopy {
    return makeCopy(
      { header: this.header, sums: this.#sums, warnings: [] },
      copyOrigin(this.#delivery, this.#large.path, UNKNOWN, this.header.metadata),
      place,
    );
  }

  /** The complete draft, known after the last record. */
  complete(draft: ReportCopy): ReportCopy {
    const origin = { ...draft.origin, payloadSha256: this.#content.digest() };
    return { ...draft, sums: this.#sums, warnings: this.#warnings, origin };
  }

  /** What its records sum up to, and the hash of its content, known after the last record. */
  total(): ReportSums & { payloadSha256: Buffer } {
    return { ...this.#sums, payloadSha256: this.#content.digest() };
  }

  /** The hash of the whole content; the content cannot be read further. */
  async hashOnly(): Promise<Buffer> {
    return await this.#content.drain();
  }

  async close(): Promise<void> {
    await this.#events.return();
    await this.#content.close();
  }

  #recordMeters(): readonly Meter[] {
    const known = recordMeters.get(this.#large);
    if (known) return known;
    const { budget } = this.#delivery;
    const meters = [budget.recordMeter(), budget.storedMeter()];
    recordMeters.set(this.#large, meters);
    return meters;
  }
}

/** Passes on the pieces of a content, and hashes them. When the consumer stops early, the rest is still hashed. */
class HashedContent implements AsyncIterable<Buffer> {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  #digest: Buffer | null = null;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return { next: () => this.#next() };
  }

  async drain(): Promise<Buffer> {
    while (!(await this.#next()).done);
    return this.digest();
  }

  digest(): Buffer {
    this.#digest ??= this.#hash.digest();
    return this.#digest;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    const step = await this.#chunks.next();
    if (!step.done) this.#hash.update(step.value);
    return step;
  }
}

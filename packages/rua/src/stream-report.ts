import { WorkSlices, type Warning } from '@dmarc-ledger/vocabulary';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import type { ReadContext } from './context.ts';
import { DocumentFeeder } from './document-feeder.ts';
import { BYTES_A_BATCH, RECORDS_A_BATCH } from './limits.ts';
import { ReadingClock } from './reading-clock.ts';
import { StreamSink } from './stream-sink.ts';

export type FeedbackEvent =
  | { type: 'header'; header: ReportHeader }
  | { type: 'records'; records: ReportRecord[] }
  | { type: 'end'; warnings: Warning[]; records: number };

/**
 * A report of any size in constant memory: the header, then batches of records, then the end. A batch has at most 1,000
 * records, and ends earlier when they come from 8 MiB of XML: a record may have hundreds of kilobytes. A document that
 * is refused midway throws after some of its records, which are invalid without the end.
 */
export async function* streamReport(
  chunks: AsyncIterable<Uint8Array>,
  context: ReadContext & { header?: ReportHeader },
): AsyncGenerator<FeedbackEvent, void, undefined> {
  const sink = new StreamSink(context, context.header ?? null);
  const feeder = new DocumentFeeder(sink);
  const clock = new ReadingClock();
  const slices = new WorkSlices();
  const events = new EventQueue(sink);
  for await (const chunk of chunks) {
    clock.check(feeder.feed(chunk));
    events.noteRead(chunk.byteLength);
    await slices.pause();
    clock.resume();
    if (!events.isReady) continue;
    yield* events.take();
    clock.resume();
  }
  feeder.end();
  yield* events.takeRest();
  yield { type: 'end', warnings: [...feeder.warnings, ...(sink.warnings ?? [])], records: events.records };
}

/** Turns what the sink holds into events, the header first. */
class EventQueue {
  readonly #sink: StreamSink;
  #sentHeader = false;
  /** Bytes of XML since the last batch: its texts are parts of the pieces they were read in, and keep these alive. */
  #bytes = 0;
  records = 0;

  constructor(sink: StreamSink) {
    this.#sink = sink;
  }

  noteRead(bytes: number): void {
    this.#bytes += bytes;
  }

  get isReady(): boolean {
    return this.#sink.waiting >= this.#enough;
  }

  /** The records that have become a batch. */
  *take(): Generator<FeedbackEvent, void, undefined> {
    yield* this.#take(this.#enough);
  }

  /** All that is left at the end of the document. */
  *takeRest(): Generator<FeedbackEvent, void, undefined> {
    yield* this.#take(1);
  }

  /** The records that make a batch. */
  get #enough(): number {
    return this.#bytes >= BYTES_A_BATCH ? 1 : RECORDS_A_BATCH;
  }

  *#take(atLeast: number): Generator<FeedbackEvent, void, undefined> {
    const { header } = this.#sink;
    if (header && !this.#sentHeader) {
      this.#sentHeader = true;
      yield { type: 'header', header };
    }
    this.#bytes = 0;
    while (this.#sink.waiting >= atLeast) {
      const records = this.#sink.take(RECORDS_A_BATCH);
      this.records += records.length;
      yield { type: 'records', records };
    }
  }
}

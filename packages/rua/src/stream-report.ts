import { WorkSlices, type Warning } from '@dmarc-ledger/vocabulary';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import type { ReadContext } from './context.ts';
import { DocumentFeeder } from './document-feeder.ts';
import { RECORDS_A_BATCH } from './limits.ts';
import { ReadingClock } from './reading-clock.ts';
import { StreamSink } from './stream-sink.ts';

export type FeedbackEvent =
  | { type: 'header'; header: ReportHeader }
  | { type: 'records'; records: ReportRecord[] }
  | { type: 'end'; warnings: Warning[]; records: number };

/**
 * A report of any size in constant memory: the header, then batches of at most 1,000 records, then the end. A document
 * that is refused midway throws after some of its records, which are invalid without the end.
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
    await slices.pause();
    clock.resume();
    if (!events.isReady) continue;
    yield* events.take(RECORDS_A_BATCH);
    clock.resume();
  }
  feeder.end();
  yield* events.take(1);
  yield { type: 'end', warnings: [...feeder.warnings, ...(sink.warnings ?? [])], records: events.records };
}

/** Turns what the sink holds into events, the header first. */
class EventQueue {
  readonly #sink: StreamSink;
  #sentHeader = false;
  records = 0;

  constructor(sink: StreamSink) {
    this.#sink = sink;
  }

  get isReady(): boolean {
    return this.#sink.waiting >= RECORDS_A_BATCH;
  }

  *take(atLeast: number): Generator<FeedbackEvent, void, undefined> {
    const { header } = this.#sink;
    if (header && !this.#sentHeader) {
      this.#sentHeader = true;
      yield { type: 'header', header };
    }
    while (this.#sink.waiting >= atLeast) {
      const records = this.#sink.take(RECORDS_A_BATCH);
      this.records += records.length;
      yield { type: 'records', records };
    }
  }
}

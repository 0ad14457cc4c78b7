import type { ReportHeader } from '@dmarc-ledger/dmarc';
import { WorkSlices } from '@dmarc-ledger/vocabulary';
import type { ReadContext } from './context.ts';
import { DocumentFeeder } from './document-feeder.ts';
import { ReportError } from './errors.ts';
import { ReadingClock } from './reading-clock.ts';
import { AgreedDomain } from './report/agreed-domain.ts';
import { readFileName } from './report/file-name.ts';
import { readHeader as mapHeader } from './report/read-header.ts';
import { streamHeaderContext } from './stream-sink.ts';
import type { FeedbackSink } from './xml/feedback-sink.ts';
import type { RawFeedback, RawRecord } from './xml/raw-report.ts';

/**
 * The header alone, wherever in the document it is: a first pass over a report that `streamReport` refused with
 * `header_after_records`, which is then run again with this header.
 */
export async function readHeader(chunks: AsyncIterable<Uint8Array>, context: ReadContext): Promise<ReportHeader> {
  const sink = new HeaderSink(context);
  const feeder = new DocumentFeeder(sink);
  const clock = new ReadingClock();
  const slices = new WorkSlices();
  for await (const chunk of chunks) {
    clock.check(feeder.feed(chunk));
    await slices.pause();
    clock.resume();
  }
  feeder.end();
  if (!sink.header) throw new ReportError('not_feedback', 'there is no DMARC feedback in the document');
  return sink.header;
}

class HeaderSink implements FeedbackSink {
  readonly #context: ReadContext;
  readonly #agreed = new AgreedDomain();
  #first: RawRecord | null = null;
  header: ReportHeader | null = null;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  begin(): void {
    if (this.header) throw new ReportError('multiple_feedback', 'a document of this size may hold only one report');
  }

  record(raw: RawRecord): void {
    this.#first ??= raw;
    this.#agreed.add(raw);
  }

  end(feedback: RawFeedback): void {
    const fallback = this.#agreed.get(feedback, readFileName(this.#context.name));
    this.header = mapHeader(
      feedback,
      streamHeaderContext(this.#context, feedback, this.#first, fallback),
      () => undefined,
    );
  }

  warn(): void {
    // the pass that reads the records warns
  }
}

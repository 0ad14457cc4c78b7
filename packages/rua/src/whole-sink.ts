import { createHash, type Hash } from 'node:crypto';
import type { ReadContext } from './context.ts';
import { ReportError } from './errors.ts';
import { WholeReport, type ReportReading } from './whole-report.ts';
import type { FeedbackSink } from './xml/feedback-sink.ts';
import type { RawFeedback, RawRecord } from './xml/raw-report.ts';

/** Collects the reports of a document that is read as a whole: a refused one does not affect the others. */
export class WholeSink implements FeedbackSink {
  readonly outcomes: (ReportReading | ReportError)[] = [];
  readonly #bytes: Uint8Array;
  readonly #context: ReadContext;
  /** Of all bytes, hashed once for whatever number of reports. */
  #content: Hash | null = null;
  #report: WholeReport | null = null;
  #error: ReportError | null = null;

  constructor(bytes: Uint8Array, context: ReadContext) {
    this.#bytes = bytes;
    this.#context = context;
  }

  begin(namespace: string | undefined, wrapped: boolean): void {
    const index = this.outcomes.length;
    const digest = () => {
      this.#content ??= createHash('sha256').update(this.#bytes);
      return this.#content
        .copy()
        .update(index === 0 ? '' : `#${index}`)
        .digest('hex');
    };
    this.#error = null;
    this.#report = new WholeReport(namespace, this.#context, digest);
    if (wrapped) this.warn('multiple_feedback', 'inside another element', null);
  }

  record(raw: RawRecord, position: number, feedback: RawFeedback): void {
    this.#attempt((report) => report.record(raw, position, feedback));
  }

  end(feedback: RawFeedback): void {
    this.#attempt((report) => this.outcomes.push(report.finish(feedback)));
    if (this.#error) this.outcomes.push(this.#error);
    this.#report = null;
  }

  warn(code: string, detail: string | null, position: number | null): void {
    this.#report?.warn(code, detail, position);
  }

  #attempt(step: (report: WholeReport) => void): void {
    if (!this.#report || this.#error) return;
    try {
      step(this.#report);
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      this.#error = error;
    }
  }
}

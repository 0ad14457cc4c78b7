import { createHash } from 'node:crypto';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import type { ReadContext } from './context.ts';
import { ReportError } from './errors.ts';
import { readFileName } from './report/file-name.ts';
import { isHeaderKnown, readHeader, type HeaderContext } from './report/read-header.ts';
import { ReportBuilder } from './report/report-builder.ts';
import type { FeedbackSink } from './xml/feedback-sink.ts';
import type { RawFeedback, RawRecord } from './xml/raw-report.ts';

/** Reads one report as a stream: the header must be known before its first record is. */
export class StreamSink implements FeedbackSink {
  readonly #context: ReadContext;
  readonly #given: ReportHeader | null;
  #builder: ReportBuilder | null = null;
  #header: ReportHeader | null = null;
  #records: ReportRecord[] = [];
  #warnings: Warning[] | null = null;

  constructor(context: ReadContext, given: ReportHeader | null) {
    this.#context = context;
    this.#given = given;
  }

  begin(namespace: string | undefined, wrapped: boolean): void {
    if (this.#builder) throw new ReportError('multiple_feedback', 'a document of this size may hold only one report');
    this.#builder = new ReportBuilder(namespace, (record) => this.#records.push(record));
    if (wrapped) this.warn('multiple_feedback', 'inside another element', null);
  }

  record(raw: RawRecord, position: number, feedback: RawFeedback): void {
    if (!this.#header) this.#begin(feedback, raw);
    this.#builder?.record(raw, position);
  }

  end(feedback: RawFeedback): void {
    if (!this.#header) this.#begin(feedback, null);
    if (this.#given)
      readHeader(
        feedback,
        streamHeaderContext(this.#context, feedback, null, this.#given.policyPublished.domain),
        this.#warnOfReport,
      );
    this.#warnings = this.#builder?.finish(feedback) ?? [];
  }

  warn(code: string, detail: string | null, position: number | null): void {
    this.#builder?.warnAt(code, detail, position);
  }

  get header(): ReportHeader | null {
    return this.#header;
  }

  /** All of a report's warnings once it has ended. */
  get warnings(): Warning[] | null {
    return this.#warnings;
  }

  get waiting(): number {
    return this.#records.length;
  }

  /** Takes out up to `count` records, in document order. */
  take(count: number): ReportRecord[] {
    return this.#records.splice(0, count);
  }

  readonly #warnOfReport = (code: string, detail: string | null = null): void => this.warn(code, detail, null);

  #begin(feedback: RawFeedback, first: RawRecord | null): void {
    if (this.#given) this.#header = this.#given;
    else if (first && !isHeaderKnown(feedback)) {
      throw new ReportError('header_after_records', 'the header of the report is behind its records');
    } else
      this.#header = readHeader(
        feedback,
        streamHeaderContext(this.#context, feedback, first, null),
        this.#warnOfReport,
      );
    this.#builder?.begin(this.#header, feedback);
  }
}

/**
 * A report without an id that is too large to be hashed before its header is needed is identified by the SHA-256 of its
 * metadata, policy and first record.
 */
export function streamHeaderContext(
  context: ReadContext,
  feedback: RawFeedback,
  first: RawRecord | null,
  fallback: string | null,
): HeaderContext {
  return {
    receivedAt: context.receivedAt,
    hint: readFileName(context.name),
    fallback,
    digest: () =>
      createHash('sha256')
        .update(JSON.stringify([feedback, first]))
        .digest('hex'),
  };
}

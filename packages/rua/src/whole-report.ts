import type { Warning } from '@dmarc-ledger/vocabulary';
import type { ReportHeader, ReportRecord } from '@dmarc-ledger/dmarc';
import type { ReadContext } from './context.ts';
import { AgreedDomain } from './report/agreed-domain.ts';
import { readFileName, type FileNameHint } from './report/file-name.ts';
import { isHeaderKnown, readHeader } from './report/read-header.ts';
import { ReportBuilder } from './report/report-builder.ts';
import type { Warn } from './values/warn.ts';
import type { RawFeedback, RawRecord } from './xml/raw-report.ts';

export interface ReportReading {
  header: ReportHeader;
  records: ReportRecord[];
  warnings: Warning[];
}

/** One report in memory: its records may come before its header, and wait for it. */
export class WholeReport {
  readonly #context: ReadContext;
  readonly #hint: FileNameHint | null;
  readonly #digest: () => string;
  readonly #builder: ReportBuilder;
  readonly #records: ReportRecord[] = [];
  readonly #waiting: { raw: RawRecord; position: number }[] = [];
  #header: ReportHeader | null = null;

  constructor(namespace: string | undefined, context: ReadContext, digest: () => string) {
    this.#context = context;
    this.#hint = readFileName(context.name);
    this.#digest = digest;
    this.#builder = new ReportBuilder(namespace, (record) => this.#records.push(record));
  }

  record(raw: RawRecord, position: number, feedback: RawFeedback): void {
    if (!this.#header && isHeaderKnown(feedback)) this.#readHeader(feedback, null);
    if (this.#header) this.#builder.record(raw, position);
    else this.#waiting.push({ raw, position });
  }

  finish(feedback: RawFeedback): ReportReading {
    const header = this.#header ?? this.#readHeader(feedback, this.#agreedDomain(feedback));
    return { header, records: this.#records, warnings: this.#builder.finish(feedback) };
  }

  warn(code: string, detail: string | null, position: number | null): void {
    this.#builder.warnAt(code, detail, position);
  }

  /** Once it is known; from then on every record is read at once. */
  #readHeader(feedback: RawFeedback, fallback: string | null): ReportHeader {
    const warn: Warn = (code, detail = null) => this.#builder.warnAt(code, detail, null);
    const needs = { receivedAt: this.#context.receivedAt, hint: this.#hint, fallback, digest: this.#digest };
    this.#header = readHeader(feedback, needs, warn);
    this.#builder.begin(this.#header, feedback);
    for (const { raw, position } of this.#waiting.splice(0)) this.#builder.record(raw, position);
    return this.#header;
  }

  #agreedDomain(feedback: RawFeedback): string | null {
    const agreed = new AgreedDomain();
    for (const { raw } of this.#waiting) agreed.add(raw);
    return agreed.get(feedback, this.#hint);
  }
}

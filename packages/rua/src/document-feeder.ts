import { ReportError } from './errors.ts';
import { ChunkDecoder } from './xml/chunk-decoder.ts';
import type { FeedbackSink } from './xml/feedback-sink.ts';
import { ReportCollector } from './xml/report-collector.ts';
import { NotWellFormed, StrictParser } from './xml/strict-parser.ts';

const SPACE_BEFORE_DECLARATION = /^\s+(?=<\?xml)/;
const ROOT_END = /<\/(?:[\w.-]+:)?feedback\s*>/i;
const ROOT = /<(?:[\w.-]+:)?feedback[\s/>]/i;

/** Feeds the chunks of one large document to the parser: one report, without repairs except around its root. */
export class DocumentFeeder {
  readonly #decoder = new ChunkDecoder();
  readonly #collector: ReportCollector;
  readonly #parser: StrictParser;
  readonly #warnings: { code: string; detail: string | null }[] = [];
  #isFirst = true;
  #isDone = false;

  constructor(sink: FeedbackSink) {
    this.#collector = new ReportCollector(sink);
    this.#parser = StrictParser.for(this.#collector);
  }

  /** Reads one chunk; true when records came of it. */
  feed(chunk: Uint8Array): boolean {
    const before = this.#collector.recordsRead;
    this.#write(this.#decoder.decode(chunk));
    return this.#collector.recordsRead > before;
  }

  end(): void {
    this.#write(this.#decoder.end());
    if (this.#isDone) return;
    try {
      this.#parser.close();
    } catch (error) {
      throw this.#translate(error);
    }
    if (this.#collector.reports === 0)
      throw new ReportError('not_feedback', 'there is no DMARC feedback in the document');
  }

  /** Warnings about the document around the report. */
  get warnings(): { code: string; detail: string | null }[] {
    return [...this.#decoder.warnings, ...this.#warnings];
  }

  #write(text: string): void {
    if (text === '') return;
    if (this.#isDone) return this.#refuseSecond(text);
    try {
      this.#parser.write(this.#isFirst ? this.#trimStart(text) : text);
      this.#isFirst = false;
    } catch (error) {
      if (!(error instanceof NotWellFormed) || !this.#isComplete) throw this.#translate(error);
      this.#isDone = true;
      this.#warnings.push({ code: 'xml_trailing_garbage', detail: null });
      this.#refuseSecond(behindRoot(text));
    }
  }

  /** True when the document may end here: a report was read and its root is closed. */
  get #isComplete(): boolean {
    return this.#collector.reports > 0 && this.#collector.isBetweenReports;
  }

  #trimStart(text: string): string {
    const trimmed = text.replace(SPACE_BEFORE_DECLARATION, '');
    if (trimmed !== text) this.#warnings.push({ code: 'xml_leading_junk', detail: null });
    return trimmed;
  }

  #refuseSecond(text: string): void {
    if (ROOT.test(text)) throw new ReportError('multiple_feedback', 'a document of this size may hold only one report');
  }

  #translate(error: unknown): unknown {
    if (!(error instanceof NotWellFormed)) return error;
    const isCut = /^(?:unclosed tag|unexpected end)/.test(error.message);
    if (isCut && this.#collector.reports > 0)
      return new ReportError('xml_truncated', 'the document ends before its report does', { cause: error });
    if (this.#collector.reports === 0 && isCut)
      return new ReportError('not_feedback', 'there is no DMARC feedback in the document', { cause: error });
    return new ReportError('xml_malformed', `the XML is not well-formed: ${error.message}`, { cause: error });
  }
}

function behindRoot(text: string): string {
  const end = ROOT_END.exec(text);
  return end ? text.slice(end.index + end[0].length) : text;
}

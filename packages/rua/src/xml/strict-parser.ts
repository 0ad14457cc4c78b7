import { SaxesParser } from 'saxes';
import { ReportError } from '../errors.ts';
import { CHUNK_LENGTH, MAX_ATTRIBUTE_LENGTH, MAX_ATTRIBUTES, MAX_TEXT_LENGTH } from '../limits.ts';
import { NO_ATTRIBUTES } from './feedback-sink.ts';
import type { ReportCollector } from './report-collector.ts';

/** What the parser says of a document that is not well-formed. */
export class NotWellFormed extends Error {}

/**
 * A streaming parse that ends at the first error. Names are not resolved to namespaces, entities are never defined, and
 * the caps that the parser lacks are held here.
 */
export class StrictParser {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #collector: ReportCollector;
  #attributes: Map<string, string> | null = null;
  #sinceEvent = 0;

  constructor(collector: ReportCollector) {
    this.#collector = collector;
    const parser = this.#parser;
    parser.on('attribute', ({ name, value }) => this.#addAttribute(name, value));
    parser.on('opentag', ({ name }) => {
      this.#sinceEvent = 0;
      collector.open(name, this.#attributes ?? NO_ATTRIBUTES);
      this.#attributes = null;
    });
    parser.on('closetag', () => {
      this.#sinceEvent = 0;
      collector.close();
    });
    parser.on('text', (text) => collector.text(text));
    parser.on('cdata', (text) => collector.text(text));
    parser.on('comment', () => {
      this.#sinceEvent = 0;
    });
    parser.on('doctype', () => {
      throw new ReportError('xml_doctype', 'the document has a document type declaration');
    });
    parser.on('error', (error) => {
      throw new NotWellFormed(error.message);
    });
  }

  /** Any length of text; it is handed on in pieces, so that nothing the parser holds back can grow. */
  write(text: string): void {
    for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
      const piece = text.length <= CHUNK_LENGTH ? text : text.slice(at, at + CHUNK_LENGTH);
      this.#sinceEvent += piece.length;
      this.#parser.write(piece);
      if (this.#sinceEvent > 2 * MAX_TEXT_LENGTH) {
        throw new ReportError('xml_text_too_long', `a text, comment or tag is longer than ${MAX_TEXT_LENGTH} characters`);
      }
    }
  }

  close(): void {
    this.#parser.close();
  }

  /** True when the document may end here: a report was read and its root is closed. */
  get isComplete(): boolean {
    return this.#collector.reports > 0 && this.#collector.isBetweenReports;
  }

  #addAttribute(name: string, value: string): void {
    this.#attributes ??= new Map();
    this.#attributes.set(name, value);
    if (this.#attributes.size > MAX_ATTRIBUTES || value.length > MAX_ATTRIBUTE_LENGTH) {
      throw new ReportError('xml_too_many_attributes', 'an element has more or longer attributes than any reporter writes');
    }
  }
}

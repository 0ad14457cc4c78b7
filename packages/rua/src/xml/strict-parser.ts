import { CodedError } from '@dmarc-ledger/vocabulary';
import { SaxesParser } from 'saxes';
import { ReportError } from '../errors.ts';
import { CHUNK_LENGTH, MAX_ATTRIBUTE_LENGTH, MAX_ATTRIBUTES, MAX_TEXT_LENGTH } from '../limits.ts';
import { NO_ATTRIBUTES } from './feedback-sink.ts';
import type { ReportCollector } from './report-collector.ts';

let idle: StrictParser | null = null;

/** The parser's error about a document that is not well-formed. */
export class NotWellFormed extends CodedError<'not_well_formed'> {
  override readonly retryable = false;
}

/**
 * A streaming parser that ends at the first error. Names are not resolved to namespaces, entities are never defined,
 * and the limits that the parser lacks are enforced here. It gets six handlers and no more: with a seventh the parser
 * object turns into a dictionary and all of it runs four times slower.
 */
export class StrictParser {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  #collector: ReportCollector | null;
  #sinceEvent = 0;

  constructor(collector: ReportCollector) {
    this.#collector = collector;
    const parser = this.#parser;
    parser.on('opentag', ({ name, attributes }) => {
      this.#sinceEvent = 0;
      this.#collector?.open(name, readAttributes(attributes));
    });
    parser.on('closetag', () => {
      this.#sinceEvent = 0;
      this.#collector?.close();
    });
    parser.on('text', (text) => this.#collector?.text(text));
    parser.on('cdata', (text) => this.#collector?.text(text));
    parser.on('doctype', () => {
      throw new ReportError('xml_doctype', 'the document has a document type declaration');
    });
    parser.on('error', (error) => {
      throw new NotWellFormed('not_well_formed', error.message);
    });
  }

  /**
   * The parser of the last document that was read to its end, else a new one: creating one costs as much as a small
   * report.
   */
  static for(collector: ReportCollector): StrictParser {
    const parser = idle ?? new StrictParser(collector);
    idle = null;
    parser.#collector = collector;
    return parser;
  }

  /** Any length of text; it is passed on in pieces, so that the parser's buffer cannot grow. */
  write(text: string): void {
    for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
      const piece = text.length <= CHUNK_LENGTH ? text : text.slice(at, at + CHUNK_LENGTH);
      this.#sinceEvent += piece.length;
      this.#parser.write(piece);
      if (this.#sinceEvent > 2 * MAX_TEXT_LENGTH) {
        throw new ReportError(
          'xml_text_too_long',
          `a text, comment or tag is longer than ${MAX_TEXT_LENGTH} characters`,
        );
      }
    }
  }

  close(): void {
    this.#parser.close();
    this.#sinceEvent = 0;
    this.#collector = null;
    keep(this);
  }
}

function keep(parser: StrictParser): void {
  idle = parser;
}

/** The attributes of an element, nearly always none. */
function readAttributes(attributes: { [name: string]: string }): ReadonlyMap<string, string> {
  let read: Map<string, string> | null = null;
  for (const name in attributes) {
    const value = attributes[name]!;
    read ??= new Map();
    read.set(name, value);
    if (read.size > MAX_ATTRIBUTES || value.length > MAX_ATTRIBUTE_LENGTH) {
      throw new ReportError(
        'xml_too_many_attributes',
        'an element has more or longer attributes than any reporter writes',
      );
    }
  }
  return read ?? NO_ATTRIBUTES;
}

import { UnpackError } from '../errors.ts';
import { MAX_HEADER_BLOCK, MAX_HEADER_LINE, MAX_MIME_DEPTH, MAX_MIME_PARTS } from '../limits.ts';
import { Base64Check } from './base64-check.ts';
import type { Envelope } from '../envelope.ts';
import { EnvelopeReader } from './envelope-reader.ts';
import { readContentType, receivedInstant } from './header-fields.ts';

/** The facts in the raw bytes of a message before it is parsed. */
export interface MailSurvey {
  envelope: Envelope;
  /** A `ContentType:` header, as one gateway writes it. */
  isMisspelled: boolean;
  /** A failure report: the message in it is evidence, not input. */
  isFailureReport: boolean;
  /** A part in base64 with more, or less, in it than base64. */
  isBase64Loose: boolean;
  /** The declared boundaries that begin a part. */
  boundaries: ReadonlySet<string>;
}

const BODY_LINE_KEPT = 512;
const FIELD_KEPT = 4_096;
/** It is kept as a whole: a mail with many signatures must not cut off what its server found about DMARC. */
const RESULTS_FIELD = /^authentication-results\s*:/i;

/**
 * One pass over a message, line by line, that follows only header blocks and boundaries, and refuses what no report
 * needs (RFC 5322, 2.1; RFC 2046, 5.1): it takes little time and memory, whatever the message contains.
 */
export async function surveyMail(chunks: AsyncIterable<Buffer>, depth: number): Promise<MailSurvey> {
  const surveyor = new Surveyor(depth);
  for await (const chunk of chunks) surveyor.read(chunk);
  return surveyor.end();
}

class Surveyor {
  readonly #depth: number;
  /** Those of the multiparts around the present line, outermost first. */
  readonly #boundaries: string[] = [];
  readonly #found = new Set<string>();
  readonly #envelope = new EnvelopeReader();
  readonly #survey: MailSurvey = {
    envelope: this.#envelope.envelope,
    isMisspelled: false,
    isFailureReport: false,
    isBase64Loose: false,
    boundaries: this.#found,
  };
  #line = '';
  #lineLength = 0;
  #inHeader = true;
  #headerLength = 0;
  #parts = 1;
  /** The header field that is being read, unfolded as far as it is kept. */
  #field = '';
  #fieldKept = FIELD_KEPT;
  #sawReceived = false;
  /** Set within the body of a part in base64. */
  #base64: Base64Check | null = null;

  constructor(depth: number) {
    this.#depth = depth;
    if (depth > MAX_MIME_DEPTH)
      throw new UnpackError('mime_too_deep', `messages are nested deeper than ${MAX_MIME_DEPTH}`);
  }

  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const end = chunk.indexOf(0x0a, at);
      this.#append(chunk, at, end < 0 ? chunk.length : end);
      if (end < 0) return;
      this.#endLine();
      at = end + 1;
    }
  }

  end(): MailSurvey {
    if (this.#lineLength > 0) this.#endLine();
    if (this.#inHeader) this.#endField();
    this.#endBody();
    return this.#survey;
  }

  #append(chunk: Buffer, start: number, end: number): void {
    this.#lineLength += end - start;
    if (this.#inHeader) {
      this.#headerLength += end - start + 1;
      if (this.#lineLength > MAX_HEADER_LINE)
        throw new UnpackError('header_too_large', `a header line is longer than ${MAX_HEADER_LINE} bytes`);
      if (this.#headerLength > MAX_HEADER_BLOCK)
        throw new UnpackError('header_too_large', `a header is longer than ${MAX_HEADER_BLOCK} bytes`);
    }
    const space = (this.#inHeader ? MAX_HEADER_LINE : BODY_LINE_KEPT) - this.#line.length;
    if (space > 0) this.#line += chunk.toString('latin1', start, Math.min(end, start + space));
  }

  #endLine(): void {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    const length = this.#lineLength - (this.#line.length - line.length);
    this.#line = '';
    this.#lineLength = 0;
    if (line.startsWith('--')) this.#boundary(line.trimEnd());
    else if (this.#inHeader) this.#headerLine(line);
    else this.#base64?.line(line, length);
  }

  #endBody(): void {
    if (this.#base64?.isLoose) this.#survey.isBase64Loose = true;
    this.#base64 = null;
  }

  #headerLine(line: string): void {
    if (line === '') {
      this.#endField();
      this.#inHeader = false;
    } else if (line.startsWith(' ') || line.startsWith('\t')) {
      if (this.#field.length < this.#fieldKept) this.#field += ` ${line.slice(0, this.#fieldKept).trim()}`;
    } else {
      this.#endField();
      this.#fieldKept = RESULTS_FIELD.test(line) ? MAX_HEADER_BLOCK : FIELD_KEPT;
      this.#field = line.slice(0, this.#fieldKept);
    }
  }

  #endField(): void {
    const field = this.#field;
    this.#field = '';
    const end = field.indexOf(':');
    const name = field.slice(0, Math.max(0, end)).trim().toLowerCase();
    if (name === 'contenttype') this.#survey.isMisspelled = true;
    if (name === 'content-type' || name === 'contenttype') this.#contentType(field.slice(end + 1));
    if (name === 'content-transfer-encoding' && /:\s*base64\s*$/i.test(field)) this.#base64 = new Base64Check();
    if (this.#parts > 1) return; // what follows is the header of a part
    if (name === 'received' && !this.#sawReceived) {
      this.#sawReceived = true;
      this.#envelope.envelope.receivedAt = receivedInstant(field);
    }
    this.#envelope.field(name, field.slice(end + 1));
  }

  #contentType(value: string): void {
    const { type, parameters } = readContentType(value);
    const isReport = type === 'multipart/report' && parameters.get('report-type')?.toLowerCase() === 'feedback-report';
    if (isReport || type === 'message/feedback-report') this.#survey.isFailureReport = true;
    const boundary = type.startsWith('multipart/') ? parameters.get('boundary')?.trimEnd() : undefined;
    if (!boundary) return;
    this.#boundaries.push(`--${boundary}`);
    if (this.#depth + this.#boundaries.length > MAX_MIME_DEPTH)
      throw new UnpackError('mime_too_deep', `parts are nested deeper than ${MAX_MIME_DEPTH}`);
  }

  #boundary(line: string): void {
    const index = this.#boundaries.findLastIndex((boundary) => line === boundary || line === `${boundary}--`);
    if (index < 0) return this.#inHeader ? this.#headerLine(line) : this.#base64?.line(line, line.length);
    this.#endBody();
    const isEnd = line !== this.#boundaries[index];
    this.#boundaries.length = isEnd ? index : index + 1;
    this.#inHeader = !isEnd;
    this.#headerLength = 0;
    this.#field = '';
    if (isEnd) return;
    this.#found.add(line.slice('--'.length));
    this.#parts += 1;
    if (this.#parts > MAX_MIME_PARTS)
      throw new UnpackError('mime_too_many_parts', `the message has more than ${MAX_MIME_PARTS} parts`);
  }
}

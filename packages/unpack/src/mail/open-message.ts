import { Readable } from 'node:stream';
import type { ByteSource } from '../byte-source.ts';
import { heldContent } from '../content.ts';
import { inside, noting, pathText, type Place } from '../document.ts';
import { UnpackError } from '../errors.ts';
import type { Gatherer, Steps } from '../gatherer.ts';
import { HEAD, MAX_CANDIDATES } from '../limits.ts';
import { isReportName, notAReport } from '../report-name.ts';
import { sniff, type Kind } from '../sniff.ts';
import { readParts, type MailPart } from './mail-parts.ts';
import { mediaTypeWarning } from './media-type.ts';
import { pastedReport } from './pasted-report.ts';
import { surveyMail, type MailSurvey } from './survey.ts';

/** What may precede the header: a byte order mark, blank lines, an mbox separator. */
const PREAMBLE = /^(?:\xef\xbb\xbf)?\s*(?:>?From [^\n]*\n)?/;
const MISSPELLED = /^ContentType(?=[ \t]*:)/gim;

/** Signed or encrypted as a whole; a detached signature is a separate part and needs nothing. (RFC 8551, 3.2) */
const SEALED = /^application\/(?:x-)?pkcs7-mime$/;

const TOO_MANY = {
  code: 'too_many_attachments',
  message: `more than ${MAX_CANDIDATES} parts may be reports; the first are taken`,
};

/** Opens every part of a message (RFC 2045) that may contain a report, including nested messages. */
export async function* openMessage(gatherer: Gatherer, source: ByteSource, place: Place): Steps {
  const start = await preambleLength(source);
  const survey = await surveyMail(source.open(start), place.messages - 1);
  gatherer.mail ??= survey.envelope;
  const spelled = survey.isMisspelled ? noting(place, 'mime_header_misspelled') : place;
  const at = survey.isBase64Loose ? noting(spelled, 'mime_base64_loose') : spelled;
  const chunks = source.open(start);
  let position = 0;
  let candidates = 0;
  const corrected = survey.isMisspelled ? Readable.from(respelled(chunks), { objectMode: false }) : chunks;
  for await (const part of readParts(corrected, survey.boundaries)) {
    if (gatherer.isOver) break;
    position += 1;
    const there = inside(at, part.name, part.name ? `${position}/${part.name}` : String(position));
    const isCandidate = yield* gatherer.attempt(there, () => openPart(gatherer, { part, survey, candidates }, there));
    if (isCandidate) candidates += 1;
  }
}

/** True when the part was taken for a report, or for a container of one. */
async function* openPart(
  gatherer: Gatherer,
  { part, survey, candidates }: { part: MailPart; survey: MailSurvey; candidates: number },
  place: Place,
): Steps<boolean> {
  if (!part.bytes) throw new UnpackError('attachment_too_large', 'the part is larger than a report may be');
  const { kind, bytes } = await kindOf(part, part.bytes, survey);
  if (kind === 'empty') gatherer.sawEmpty ||= part.isAttachment;
  const isJunk = kind === 'empty' || kind === 'other' || kind === 'html';
  if (isJunk && (survey.isFailureReport || !isReportName(part.name))) return false;
  if (isJunk) {
    const { code, message } = notAReport(kind);
    yield { kind: 'refused', path: pathText(place), code, message };
    return false; // it keeps no report out
  }
  if (candidates >= MAX_CANDIDATES) {
    if (candidates === MAX_CANDIDATES) yield { kind: 'refused', path: pathText(place), ...TOO_MANY };
    return true;
  }
  const content = heldContent(bytes);
  if (kind === 'failure-report') yield* gatherer.addDocument(content, kind, place);
  else if (kind === 'pasted') yield* gatherer.addDocument(content, 'xml', noting(place, 'mime_inline_xml'));
  else yield* gatherer.content(content, kind, noting(place, mediaTypeWarning(part.type, kind)));
  return true;
}

interface PartKind {
  kind: Kind | 'pasted' | 'failure-report';
  /** The part of the content that is the document, or holds it. */
  bytes: Buffer;
}

/**
 * Handles a part by its content; its type only marks text for people. A failure report contributes only its fields: the
 * message it is about is evidence, and may be forged to look like a report.
 */
async function kindOf(part: MailPart, bytes: Buffer, { isFailureReport }: MailSurvey): Promise<PartKind> {
  if (part.type === 'message/feedback-report') return { kind: 'failure-report', bytes };
  if (isFailureReport) return { kind: 'other', bytes };
  const kind = sniff(bytes.subarray(0, HEAD));
  if (isText(part)) return await kindOfText(kind, bytes, part.type);
  if (kind === 'unsupported' && part.type?.startsWith('image/')) return { kind: 'other', bytes };
  if (SEALED.test(part.type ?? '')) return { kind: 'unsupported', bytes };
  return { kind: part.type === 'message/rfc822' ? 'mail' : kind, bytes };
}

function isText({ type, name }: MailPart): boolean {
  return name === null && (type === null || type === 'text/plain' || type === 'text/html');
}

async function kindOfText(kind: Kind, bytes: Buffer, type: string | null): Promise<PartKind> {
  if (kind === 'gzip' || kind === 'zip' || kind === 'json') return { kind, bytes };
  const pasted = type === 'text/html' ? null : await pastedReport(bytes);
  return pasted ? { kind: 'pasted', bytes: pasted } : { kind: 'other', bytes };
}

async function preambleLength(source: ByteSource): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.open(0, HEAD)) chunks.push(chunk);
  return PREAMBLE.exec(Buffer.concat(chunks).toString('latin1'))?.[0].length ?? 0;
}

/** The message with the header's name corrected: line by line, so that no more than a line is held. */
async function* respelled(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  const spelled = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replace(MISSPELLED, 'Content-Type'), 'latin1');
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(0x0a) + 1;
    const isLong = held.length + chunk.length > HEAD && end === 0;
    if (end > 0 || isLong) yield spelled(Buffer.concat([held, chunk.subarray(0, end || chunk.length)]));
    if (end > 0) held = Buffer.from(chunk.subarray(end));
    else held = isLong ? Buffer.alloc(0) : Buffer.concat([held, chunk]);
  }
  if (held.length > 0) yield spelled(held);
}

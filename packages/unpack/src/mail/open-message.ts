import { bufferSource, type ByteSource } from '../byte-source.ts';
import { heldContent } from '../content.ts';
import { inside, noting, pathText, type Place } from '../document.ts';
import { UnpackError } from '../errors.ts';
import type { Gatherer } from '../gatherer.ts';
import { HEAD, MAX_CANDIDATES, MAX_MESSAGE } from '../limits.ts';
import { sniff, type Kind } from '../sniff.ts';
import { readParts, type MailPart } from './mail-parts.ts';
import { mediaTypeWarning } from './media-type.ts';
import { pastedReport } from './pasted-report.ts';
import { surveyMail, type MailSurvey } from './survey.ts';

/** What may stand before the header: a byte order mark, blank lines, an mbox separator. */
const PREAMBLE = /^(?:\xef\xbb\xbf)?\s*(?:>?From [^\n]*\n)?/;
const MISSPELLED = /^ContentType(?=[ \t]*:)/gim;

/** Signed or encrypted as a whole; a detached signature is a part of its own and needs nothing. (RFC 8551, 3.2) */
const SEALED = /^application\/(?:x-)?pkcs7-mime$/;

/** Opens every part of a message (RFC 2045) in which a report may be, nested messages included. */
export async function openMessage(gatherer: Gatherer, source: ByteSource, place: Place): Promise<void> {
  const start = await preambleLength(source);
  const survey = await surveyMail(source.open(start), place.messages - 1);
  gatherer.mail ??= survey.envelope;
  const spelled = survey.isMisspelled ? noting(place, 'mime_header_misspelled') : place;
  const at = survey.isBase64Loose ? noting(spelled, 'mime_base64_loose') : spelled;
  const chunks = survey.isMisspelled ? (await respelled(source, start)).open() : source.open(start);
  let position = 0;
  let candidates = 0;
  for await (const part of readParts(chunks)) {
    position += 1;
    const there = inside(at, part.name, part.name ? `${position}/${part.name}` : String(position));
    await gatherer.attempt(there, async () => {
      if (!(await openPart(gatherer, part, survey, there, candidates))) return;
      candidates += 1;
    });
  }
}

/** True when the part was taken for a report, or for something that may hold one. */
async function openPart(
  gatherer: Gatherer,
  part: MailPart,
  survey: MailSurvey,
  place: Place,
  candidates: number,
): Promise<boolean> {
  if (!part.bytes) throw new UnpackError('attachment_too_large', 'the part is larger than a report may be');
  const kind = kindOf(part, part.bytes, survey);
  if (kind === 'empty') gatherer.sawEmpty ||= part.isAttachment;
  if (kind === 'empty' || kind === 'other' || kind === 'html') return false;
  if (candidates >= MAX_CANDIDATES) {
    if (candidates === MAX_CANDIDATES) gatherer.refuse(tooMany(), pathText(place));
    return true;
  }
  const content = heldContent(part.bytes, part.bytes.length);
  if (kind === 'failure-report') gatherer.addDocument(content, kind, place);
  else if (kind === 'pasted')
    gatherer.addDocument(
      heldContent(pastedReport(part.bytes) ?? part.bytes, part.bytes.length),
      'xml',
      noting(place, 'mime_inline_xml'),
    );
  else await gatherer.content(content, kind, noting(place, mediaTypeWarning(part.type, kind)));
  return true;
}

/**
 * A part by its content; its type only says what is text for people. Of a failure report nothing but its fields is input:
 * the message it is about is evidence, and may be made to look like parts of ours.
 */
function kindOf(part: MailPart, bytes: Buffer, { isFailureReport }: MailSurvey): Kind | 'pasted' | 'failure-report' {
  if (part.type === 'message/feedback-report') return 'failure-report';
  if (isFailureReport) return 'other';
  const kind = sniff(bytes.subarray(0, HEAD));
  if (isText(part)) return kindOfText(kind, bytes, part.type);
  if (kind === 'unsupported' && part.type?.startsWith('image/')) return 'other';
  if (SEALED.test(part.type ?? '')) return 'unsupported';
  return part.type === 'message/rfc822' ? 'mail' : kind;
}

function isText({ type, name }: MailPart): boolean {
  return name === null && (type === null || type === 'text/plain' || type === 'text/html');
}

function kindOfText(kind: Kind, bytes: Buffer, type: string | null): Kind | 'pasted' {
  if (kind === 'gzip' || kind === 'zip' || kind === 'json') return kind;
  const isPasted = type !== 'text/html' && pastedReport(bytes) !== null;
  if (isPasted) return 'pasted';
  return 'other';
}

function tooMany(): UnpackError {
  return new UnpackError(
    'too_many_attachments',
    `more than ${MAX_CANDIDATES} parts may be reports; the first are taken`,
  );
}

async function preambleLength(source: ByteSource): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.open(0, HEAD)) chunks.push(chunk);
  return PREAMBLE.exec(Buffer.concat(chunks).toString('latin1'))?.[0].length ?? 0;
}

async function respelled(source: ByteSource, start: number): Promise<ByteSource> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.open(start, MAX_MESSAGE)) chunks.push(chunk);
  return bufferSource(
    Buffer.from(Buffer.concat(chunks).toString('latin1').replace(MISSPELLED, 'Content-Type'), 'latin1'),
  );
}

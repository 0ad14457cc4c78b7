import { addAbortSignal, Readable } from 'node:stream';
import type { AttachmentStream } from 'mailparser';
import { unreadable } from '../errors.ts';
import { MAX_ATTACHMENT, MAX_HEADER_BLOCK, MAX_MIME_PARTS } from '../limits.ts';
import { ByteGatherer } from './byte-gatherer.ts';
import { adaptNodes } from './mime-nodes.ts';

/** A leaf of a message, decoded from its transfer encoding but otherwise as sent. */
export interface MailPart {
  /** Declared media type in lower case, null when there is none. */
  type: string | null;
  name: string | null;
  isAttachment: boolean;
  /** Null when it is larger than a part may be. */
  bytes: Buffer | null;
}

/**
 * Every leaf of a message, inline or not, in order. Messages inside it are leaves too: the code that unpacks them
 * counts the layers. `boundaries`: those that begin a part of the message.
 */
export async function* readParts(
  chunks: Readable,
  boundaries: ReadonlySet<string>,
): AsyncGenerator<MailPart, void, undefined> {
  const options = {
    ignoreEmbedded: true,
    skipTextToHtml: true,
    skipHtmlToText: true,
    skipTextLinks: true,
    maxHeadSize: 2 * MAX_HEADER_BLOCK,
    maxChildNodes: 2 * MAX_MIME_PARTS,
  };
  const { MailParser } = await import('mailparser'); // not before there is a mail
  const parser = new MailParser(options);
  // The parser joins the texts of a message and recodes them, unless no type counts as text.
  Object.assign(parser, { textTypes: [] });
  adaptNodes(parser, boundaries);
  // Without it, the content of a part that was begun when the parser failed would never end.
  const failing = new AbortController();
  parser.once('error', (error) => failing.abort(error));
  chunks.on('error', (error) => parser.destroy(error)).pipe(parser);
  try {
    for await (const item of Readable.prototype[Symbol.asyncIterator].call(parser)) {
      if (!isPart(item)) continue;
      const bytes = await collect(item, failing.signal);
      item.release();
      yield {
        type: declaredType(item),
        name: item.filename ?? null,
        isAttachment: item.contentDisposition === 'attachment',
        bytes,
      };
    }
  } catch (cause) {
    throw unreadable('mail_malformed', 'the message cannot be parsed', cause);
  } finally {
    chunks.destroy();
    parser.destroy();
  }
}

function isPart(item: unknown): item is AttachmentStream {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === 'attachment';
}

/** The type that the part declares: the parser would replace it by a guess from the file name. */
function declaredType({ headers }: AttachmentStream): string | null {
  const value: unknown = headers.get('content-type');
  if (typeof value === 'string') return value.toLowerCase();
  if (typeof value !== 'object' || value === null || !('value' in value)) return null;
  return typeof value.value === 'string' ? value.value.toLowerCase() : null;
}

function collect({ content }: AttachmentStream, failing: AbortSignal): Promise<Buffer | null> {
  const gathered = new ByteGatherer();
  let length = 0;
  return new Promise((resolve, reject) => {
    content.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_ATTACHMENT) gathered.add(chunk);
    });
    content.on('end', () => resolve(length <= MAX_ATTACHMENT ? gathered.take() : null));
    content.on('error', reject);
    addAbortSignal(failing, content);
  });
}

import type { Readable } from 'node:stream';
import { JSON_TYPE, type Headers } from './headers.ts';

/** A response: a status, headers, and a body as a whole or in chunks. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string | Readable;
}

/** A body that is saved as a file instead of JSON. */
export class Attachment {
  readonly type: string;
  readonly filename: string;
  readonly body: string;

  constructor(type: string, filename: string, body: string) {
    this.type = type;
    this.filename = filename;
    this.body = body;
  }
}

/** JSON that is too large for memory. */
export class JsonStream {
  readonly pieces: Readable;

  constructor(pieces: Readable) {
    this.pieces = pieces;
  }
}

/**
 * Returns the response with what a handler returned.
 *
 * @param mediaType that of a text; unset: JSON
 */
export function answerWith(result: unknown, mediaType?: string): Answer {
  if (result instanceof Attachment) {
    const headers = { 'content-type': result.type, 'content-disposition': `attachment; filename="${result.filename}"` };
    return { status: 200, headers, body: result.body };
  }
  if (mediaType !== undefined && typeof result === 'string')
    return { status: 200, headers: { 'content-type': mediaType }, body: result };
  const body = result instanceof JsonStream ? result.pieces : JSON.stringify(result);
  return { status: 200, headers: { 'content-type': JSON_TYPE }, body };
}

import type { Readable } from 'node:stream';

const HEAD = 512;
const MBOX_LINE = /^From \S.*\d{4}\r?\n/;

/** The first bytes of a stream, and the whole stream with them put back. */
export async function peek(stream: Readable): Promise<{ head: Buffer; rest: AsyncIterable<Uint8Array> }> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  while (size < HEAD) {
    const { value, done } = await chunks.next();
    if (done) break;
    first.push(value);
    size += value.length;
  }
  const head = Buffer.concat(first);
  async function* rest() {
    if (head.length > 0) yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { head, rest: rest() };
}

/** The separator line of a mailbox file: `From`, an address, a date. (RFC 4155) */
export function beginsLikeMbox(head: Buffer): boolean {
  return MBOX_LINE.test(head.toString('latin1', 0, HEAD));
}

export function beginsLikeTar(head: Buffer): boolean {
  return head.length >= 265 && head.toString('latin1', 257, 262) === 'ustar';
}

export function beginsLikeGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

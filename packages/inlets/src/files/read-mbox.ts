import type { FoundFile } from './found-file.ts';

const LF = 0x0a;
const CR = 0x0d;
const FROM = Buffer.from('From ');
const MESSAGE_LIMIT = 64 * 1024 ** 2;

/**
 * The mails of a mailbox file (RFC 4155, mboxrd quoting): each begins after a line `From …` at the very beginning or
 * after an empty line. Memory holds one mail; one that exceeds the limit is passed on in pieces, to be refused.
 */
export async function* readMbox(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundFile> {
  let lines: Buffer[] = [];
  let size = 0;
  let number = 0;
  let afterEmpty = true;
  const mail = (): FoundFile => {
    number += 1;
    const content = Buffer.concat(withoutTrailingEmpty(lines));
    lines = [];
    size = 0;
    return { name: `${name}#${number}`, content };
  };
  for await (const line of splitLines(chunks)) {
    if (afterEmpty && line.subarray(0, FROM.length).equals(FROM)) {
      if (lines.length > 0) yield mail();
      afterEmpty = false;
      continue;
    }
    if (size > MESSAGE_LIMIT) yield mail();
    lines.push(unquoted(line));
    size += line.length;
    afterEmpty = isEmpty(line);
  }
  if (lines.length > 0) yield mail();
}

/** A line `>From ` was quoted once for the mailbox file. */
function unquoted(line: Buffer): Buffer {
  if (line[0] !== 0x3e) return line;
  let at = 0;
  while (line[at] === 0x3e) at += 1;
  return line.subarray(at, at + FROM.length).equals(FROM) ? line.subarray(1) : line;
}

function isEmpty(line: Buffer): boolean {
  return line[0] === LF || (line[0] === CR && line[1] === LF);
}

/** The empty line before the next separator belongs to the mailbox file, not to the mail. */
function withoutTrailingEmpty(lines: Buffer[]): Buffer[] {
  const last = lines.at(-1);
  return last && isEmpty(last) ? lines.slice(0, -1) : lines;
}

/** Lines with their ends. A line longer than the limit of a mail comes in pieces. */
async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let size = 0;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      yield open.length > 0 ? Buffer.concat([...open, chunk.subarray(start, end + 1)]) : chunk.subarray(start, end + 1);
      open = [];
      size = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      open.push(chunk.subarray(start));
      size += chunk.length - start;
    }
    if (size > MESSAGE_LIMIT) {
      yield Buffer.concat(open);
      open = [];
      size = 0;
    }
  }
  if (open.length > 0) yield Buffer.concat(open);
}

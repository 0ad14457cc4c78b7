const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DASH = 0x2d;
const LINE_END = Buffer.of(LF);

/**
 * A line that may be a boundary, without the white space behind it that relays may add (RFC 2046, 5.1.1); null when it
 * does not begin as one. The end of the line before may precede it.
 */
export function delimiterIn(line: Buffer): Buffer | null {
  const start = lineEndAt(line);
  if (line[start] !== DASH || line[start + 1] !== DASH) return null;
  const trimmed = withoutSpaceAtEnd(line);
  return isLineEnd(line, trimmed.length) ? line : Buffer.concat([trimmed, LINE_END]);
}

export function withoutSpaceAtEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && isSpace(bytes[end - 1])) end -= 1;
  return bytes.subarray(0, end);
}

/** The length of the line end at the begin of the bytes. */
function lineEndAt(line: Buffer): number {
  if (line[0] === CR) return line[1] === LF ? 2 : 1;
  return line[0] === LF ? 1 : 0;
}

/** True when nothing, or the end of the line alone, begins there. */
function isLineEnd(line: Buffer, at: number): boolean {
  return at + lineEndAt(line.subarray(at)) === line.length;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CR || byte === LF;
}

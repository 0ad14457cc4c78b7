const OPENING = /<(?:[\w.-]+:)?feedback[\s>]/i;
const CLOSING = /<\/(?:[\w.-]+:)?feedback\s*>/gi;

/** The report in a text that people read: from its declaration, or root, to the end of its last root. Null for none. */
export function pastedReport(bytes: Buffer): Buffer | null {
  const text = bytes.toString('latin1');
  const root = OPENING.exec(text);
  if (!root) return null;
  const declaration = text.lastIndexOf('<?xml', root.index);
  const start = declaration >= 0 ? declaration : root.index;
  const closing = [...text.matchAll(CLOSING)].at(-1);
  return bytes.subarray(start, closing ? closing.index + closing[0].length : bytes.length);
}

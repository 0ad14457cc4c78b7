import { WorkSlices } from '@dmarc-ledger/vocabulary';
import { CHUNK } from '../limits.ts';

const OPENING = /<(?:[\w.-]{1,64}:)?feedback[\s>]/i;
const CLOSING = /<\/(?:[\w.-]{1,64}:)?feedback\s{0,64}>/gi;
/** No tag that is searched for is longer than this. */
const OVERLAP = 256;

/**
 * The report in a text for people: from its declaration, or root, to the end of its last root. Null for none. Searches
 * window by window, yielding in between.
 */
export async function pastedReport(bytes: Buffer): Promise<Buffer | null> {
  const work = new WorkSlices();
  let start = -1;
  let end = -1;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const text = bytes.toString('latin1', at, at + CHUNK + OVERLAP);
    if (start < 0) {
      const root = OPENING.exec(text);
      if (root) start = startOf(bytes, at + root.index);
    }
    for (const closing of text.matchAll(CLOSING)) end = at + closing.index + closing[0].length;
    await work.pause();
  }
  if (start < 0) return null;
  return bytes.subarray(start, end > start ? end : bytes.length);
}

function startOf(bytes: Buffer, root: number): number {
  const declaration = bytes.lastIndexOf('<?xml', root);
  return declaration >= 0 ? declaration : root;
}

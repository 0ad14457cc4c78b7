import type { Readable } from 'node:stream';

/** The beginning of raw bytes, as text that only shows. */
export interface RawText {
  text: string;
  isCut: boolean;
}

/** So many bytes of XML are less than 30 kB once a page is compressed. */
export const RAW_SHOWN = 32 * 1_024;

/** Characters that a terminal or a browser acts on instead of showing them; line ends and tabs stay. */
const ACTING = /(?![\t\n\r])[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Reads the first bytes, and ends the reading there. */
export async function beginningOf(content: Readable, most: number = RAW_SHOWN): Promise<RawText> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(Buffer.from(chunk));
    size += Buffer.byteLength(chunk);
    if (size > most) break; // ends the stream
  }
  const bytes = Buffer.concat(chunks).subarray(0, most);
  return { text: decoded(bytes).replaceAll('\r\n', '\n').replaceAll(ACTING, '\uFFFD'), isCut: size > most };
}

/** As its byte order mark says, else as UTF-8; what is neither shows as replacement characters. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

import { TextDecoder } from 'node:util';
import { isAscii } from 'node:buffer';
import type { WorkSlices } from '@dmarc-ledger/vocabulary';
import { ReportError } from '../errors.ts';

/** How the bytes of a document become text, and the warnings about that. */
export interface Encoding {
  /** A label that TextDecoder knows. */
  label: string;
  /** Bytes of the byte order mark. */
  skip: number;
  warnings: { code: string; detail: string | null }[];
}

const DECLARATION = /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._:-]{0,39})["']/;
/** Bytes in which the encoding shows. */
export const SNIFFED = 512;

/** Byte order mark, else the declared encoding if it is known, else UTF-8. (XML 1.0, appendix F) */
export function detectEncoding(head: Uint8Array): Encoding {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFFED));
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) {
    throw new ReportError('xml_encoding_unsupported', 'the document is in UTF-32');
  }
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return encoding('utf-8', 3);
  if (startsWith(bytes, [0xff, 0xfe])) return encoding('utf-16le', 2, 'xml_utf16');
  if (startsWith(bytes, [0xfe, 0xff])) return encoding('utf-16be', 2, 'xml_utf16');
  if (startsWith(bytes, [0x3c, 0, 0x3f, 0])) return encoding('utf-16le', 0, 'xml_utf16');
  if (startsWith(bytes, [0, 0x3c, 0, 0x3f])) return encoding('utf-16be', 0, 'xml_utf16');
  return declaredEncoding(DECLARATION.exec(bytes.toString('latin1'))?.[1]);
}

/** An unsupported label is a broken declaration; a two-byte encoding is contradicted by the bytes that declare it. */
function declaredEncoding(declared: string | undefined): Encoding {
  if (declared === undefined) return encoding('utf-8', 0);
  try {
    const label = new TextDecoder(declared).encoding;
    return label.startsWith('utf-16') ? encoding('utf-8', 0, 'xml_encoding_mislabelled', declared) : encoding(label, 0);
  } catch {
    return encoding('utf-8', 0, 'xml_declaration_malformed', `encoding ${declared}`);
  }
}

function encoding(label: string, skip: number, code?: string, detail: string | null = null): Encoding {
  return { label, skip, warnings: code === undefined ? [] : [{ code, detail }] };
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
}

/** The text of a document, and the warnings about its encoding. */
export interface Decoded {
  text: string;
  warnings: Encoding['warnings'];
}

/** Decoded at once; above it in slices. */
const AT_ONCE = 512 * 1024;

/** As `decodeWhole`, yielding in between. */
export async function decodeInSlices(bytes: Uint8Array, slices: WorkSlices): Promise<Decoded> {
  if (bytes.byteLength <= AT_ONCE) return decodeWhole(bytes);
  const { label, skip, warnings } = detectEncoding(bytes);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + skip, bytes.byteLength - skip);
  try {
    return {
      text: await decodePieces(content, new TextDecoder(label, { fatal: true, ignoreBOM: true }), slices),
      warnings,
    };
  } catch {
    const text = await decodePieces(content, new TextDecoder('windows-1252'), slices);
    return { text, warnings: [...warnings, { code: 'xml_encoding_mislabelled', detail: `declared ${label}` }] };
  }
}

async function decodePieces(content: Buffer, decoder: TextDecoder, slices: WorkSlices): Promise<string> {
  let text = '';
  for (let at = 0; at < content.length; at += AT_ONCE) {
    text += decoder.decode(content.subarray(at, at + AT_ONCE), { stream: true });
    await slices.pause();
  }
  return text + decoder.decode();
}

/** The text of a whole document. Bytes that their encoding does not allow are read as windows-1252. */
export function decodeWhole(bytes: Uint8Array): Decoded {
  const { label, skip, warnings } = detectEncoding(bytes);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + skip, bytes.byteLength - skip);
  if (label === 'utf-8' && isAscii(content)) return { text: content.toString('latin1'), warnings };
  try {
    return { text: new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(content), warnings };
  } catch {
    const text = new TextDecoder('windows-1252').decode(content);
    return { text, warnings: [...warnings, { code: 'xml_encoding_mislabelled', detail: `declared ${label}` }] };
  }
}

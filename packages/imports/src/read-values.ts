import { isIP } from 'node:net';
import type { KeptRecord, UnreadableCode } from './kept-report.ts';

/** A JSON object of any shape. */
export type Fields = { [name: string]: unknown };

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

/** A text that says something, or null. Numbers and truth values are taken as text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The texts of a list, or of a single one. */
export function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((each) => textOf(each) ?? []);
}

/** A whole number of messages, from a number or its digits. */
export function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** An address in text, as the bytes of `inet_pton`, or as the number of an IPv4 address. */
function addressOf(value: unknown): string | undefined {
  if (Buffer.isBuffer(value)) return addressOfBytes(value);
  const text = textOf(value)?.trim();
  if (text !== undefined && /^\d{1,10}$/.test(text)) {
    const bytes = Buffer.alloc(4);
    if (Number(text) > 0xff_ff_ff_ff) return undefined;
    bytes.writeUInt32BE(Number(text));
    return addressOfBytes(bytes);
  }
  return text !== undefined && isIP(text) !== 0 ? text : undefined;
}

function addressOfBytes(bytes: Buffer): string | undefined {
  if (bytes.length === 4) return [...bytes].join('.');
  if (bytes.length !== 16) return undefined;
  return bytes.toString('hex').match(/.{4}/g)?.join(':');
}

/** A record with the two facts that it must have, or why there is none. */
export function recordWith(
  { sourceIp, count }: { sourceIp: unknown; count: unknown },
  rest: Omit<KeptRecord, 'sourceIp' | 'count'>,
): KeptRecord | UnreadableCode {
  const [address, messages] = [addressOf(sourceIp), countOf(count)];
  if (address === undefined) return 'address_unreadable';
  return messages === undefined ? 'count_unreadable' : { sourceIp: address, count: messages, ...rest };
}

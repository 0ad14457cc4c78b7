import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MARK = 'dml_';
const PREFIX_LENGTH = 8;
const SECRET_LENGTH = 43; // 256 bits
const CHECKSUM_LENGTH = 6; // 32 bits
const SHAPE = /^dml_([0-9A-Za-z]{8})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** The parts of a key. The prefix is public and identifies the key; only the hash of the secret is stored. */
export interface ApiKey {
  prefix: string;
  secret: string;
}

/** Generates a key, `dml_` + public prefix + `_` + secret + checksum. The text is shown once and never stored. */
export function generateApiKey(): ApiKey & { text: string } {
  const prefix = base62(randomBytes(6), PREFIX_LENGTH);
  const secret = base62(randomBytes(32), SECRET_LENGTH);
  const body = `${MARK}${prefix}_${secret}`;
  return { prefix, secret, text: body + checksum(body) };
}

/** Parses a key; undefined for an invalid text, so that it is rejected without a query. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, prefix, secret, sum] = SHAPE.exec(text) ?? [];
  if (!prefix || !secret || sum !== checksum(text.slice(0, -CHECKSUM_LENGTH))) return undefined;
  return { prefix, secret };
}

/** The stored hash of a secret. One fast hash is enough for 256 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The CRC-32 of all before it: secret scanners recognise a leaked key by it, and typing errors are detected. */
function checksum(body: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return base62(sum, CHECKSUM_LENGTH);
}

function base62(bytes: Buffer, length: number): string {
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (value > 0n) {
    text = BASE62[Number(value % 62n)]! + text;
    value /= 62n;
  }
  return text.padStart(length, '0').slice(-length);
}

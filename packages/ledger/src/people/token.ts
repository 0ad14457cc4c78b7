import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** A new token of 256 random bits, for a cookie or a link, and what the database stores in its place. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** One fast hash is enough for 256 random bits. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

import { hkdfSync } from 'node:crypto';
import { SecretError } from './errors.ts';

/** The parts of one `SECRET_KEY`: a key for AES-256, and the name that precedes what it sealed. */
export interface SecretKey {
  id: Buffer;
  key: Buffer;
}

export const KEY_ID_BYTES = 4;
const LEAST_CHARACTERS = 32;

/** The keys of a comma-separated list: the first seals, all open. */
export function readSecretKeys(secretKey: string): SecretKey[] {
  return secretKey.split(',').map((text) => deriveKey(text.trim()));
}

/** HKDF with SHA-256 (RFC 5869): the name discloses nothing of the key. */
function deriveKey(text: string): SecretKey {
  if (text.length < LEAST_CHARACTERS) {
    const message =
      `SECRET_KEY needs at least ${LEAST_CHARACTERS} random characters, each of a comma list; try: ` +
      `openssl rand -hex 32`;
    throw new SecretError('secret_key_weak', message);
  }
  const derive = (use: string, bytes: number) => Buffer.from(hkdfSync('sha256', text, 'dmarc-ledger', use, bytes));
  return { id: derive('secret box 1: name', KEY_ID_BYTES), key: derive('secret box 1: key', 32) };
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { present } from '@dmarc-ledger/vocabulary';
import { SecretError } from './errors.ts';
import { KEY_ID_BYTES, readSecretKeys, type SecretKey } from './secret-key.ts';

/**
 * Seals secrets for the place where they are kept: table, organization, row and field, joined by `|`. A sealed secret
 * that is moved to another place does not open.
 */
export interface SecretBox {
  seal(plain: string, place: string): Buffer;
  open(sealed: Buffer, place: string): string;
  /** True when sealed with the current key; other secrets should be sealed again before the older key is dropped. */
  isCurrent(sealed: Buffer): boolean;
}

// Version, name of the key, nonce, tag, ciphertext. A random nonce of 96 bits is good for 2^32 seals with one key
// (NIST SP 800-38D, 8.3).
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 1 + KEY_ID_BYTES;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const TEXT_AT = TAG_AT + TAG_BYTES;

/**
 * AES-256-GCM with the keys of a `SECRET_KEY`: one key, or a comma-separated list whose first seals and all of which
 * open.
 */
export function openSecretBox(secretKey: string): SecretBox {
  const keys = readSecretKeys(secretKey);
  return {
    seal: (plain, place) => sealWith(present(keys[0]), plain, place),
    open: (sealed, place) => openWith(keyOf(sealed, keys), sealed, place),
    isCurrent: (sealed) => isSealed(sealed) && idOf(sealed).equals(present(keys[0]).id),
  };
}

function sealWith({ id, key }: SecretKey, plain: string, place: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), text]);
}

function openWith({ key }: SecretKey, sealed: Buffer, place: string): string {
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(NONCE_AT, TAG_AT), options)
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(TAG_AT, TEXT_AT));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(TEXT_AT)), decipher.final()]).toString();
  } catch (cause) {
    const message = `The secret of ${place} is damaged, or was sealed for another place; enter it again.`;
    throw new SecretError('secret_damaged', message, { cause });
  }
}

function keyOf(sealed: Buffer, keys: SecretKey[]): SecretKey {
  if (!isSealed(sealed))
    throw new SecretError('secret_damaged', 'The stored value is not a sealed secret; enter it again.');
  const key = keys.find(({ id }) => id.equals(idOf(sealed)));
  if (key) return key;
  const message =
    'The secret was sealed with another SECRET_KEY; add that key to SECRET_KEY after a comma, or enter the secret ' +
    'again.';
  throw new SecretError('secret_key_unknown', message);
}

const isSealed = (sealed: Buffer) => sealed.length >= TEXT_AT && sealed[0] === VERSION;
const idOf = (sealed: Buffer) => sealed.subarray(1, NONCE_AT);

import { createPublicKey } from 'node:crypto';
import { trimAsciiSpace } from '@dmarc-ledger/vocabulary';
import { faultOfCopy, readTagList } from './tag-list.ts';

/** The content of a selector's name. (RFC 6376, 3.6.1; RFC 8463 for Ed25519) */
export type DkimKey =
  | { kind: 'rsa'; bits: number; isTesting: boolean }
  | { kind: 'ed25519'; isTesting: boolean }
  | { kind: 'revoked' }
  | { kind: 'unusable'; reason: string };

const ED25519_BYTES = 32;

export function readDkimKey(text: string): DkimKey {
  const { tags, repeated } = readTagList(text, { asWritten: true });
  if (tags.has('v') && tags.get('v') !== 'DKIM1') return rejected(faultOfCopy(text) ?? 'it is of another version');
  if (repeated.length > 0) return rejected(`${repeated[0]} appears twice`);
  const encoded = tags.get('p')?.replace(/[ \t\r\n]+/g, '');
  if (encoded === undefined) return rejected(tags.has('P') ? 'its tag p is written as P' : 'p is missing');
  if (encoded === '') return { kind: 'revoked' };
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return rejected('p is no base64');
  const hashes = listOf(tags.get('h'));
  if (hashes.length > 0 && !hashes.includes('sha256')) return rejected('it does not allow SHA-256');
  const services = listOf(tags.get('s'));
  if (services.length > 0 && !services.includes('*') && !services.includes('email'))
    return rejected('it is not for mail');
  const isTesting = listOf(tags.get('t')).includes('y');
  const bytes = Buffer.from(encoded, 'base64');
  switch (tags.get('k')?.toLowerCase() ?? 'rsa') {
    case 'rsa':
      return readRsa(bytes, isTesting);
    case 'ed25519':
      return bytes.length === ED25519_BYTES ? { kind: 'ed25519', isTesting } : rejected('the key is not 32 bytes long');
    default:
      return rejected('the kind of key is not known');
  }
}

/** Reads a SubjectPublicKeyInfo, or the bare key that some publish instead. */
function readRsa(der: Buffer, isTesting: boolean): DkimKey {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: der, format: 'der', type });
      const bits = asymmetricKeyDetails?.modulusLength;
      if (asymmetricKeyType === 'rsa' && bits !== undefined) return { kind: 'rsa', bits, isTesting };
    } catch {
      // not in this form
    }
  }
  return rejected('the key cannot be read');
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(':')
    .map((entry) => trimAsciiSpace(entry).toLowerCase())
    .filter((entry) => entry !== '');
}

function rejected(reason: string): DkimKey {
  return { kind: 'unusable', reason };
}

import { createHash, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { TlsaRecord } from '../ask.ts';
import { isUsableTlsa, withoutWeakerDigests } from './usable-tlsa.ts';

/** The chain of a mail server, and the names it was queried for. */
export interface PresentedChain {
  /** DER, the server's own certificate first, each signed by the next. */
  chain: readonly Uint8Array[];
  /** The mail server's name, and the domain whose mail it accepts. (RFC 7672, 3.2.2) */
  names: readonly string[];
  now: Date;
}

const DANE_TA = 2;
const CERTIFICATE = 0;
const FULL = 0;

/**
 * True if a sender that applies these TLSA records accepts the server; one matching record is enough. What cannot be
 * parsed does not match. Not checked: revocation, the length of the path, name constraints. (RFC 7672, 3)
 */
export function isChainMatched(records: readonly TlsaRecord[], presented: PresentedChain): boolean {
  return withoutWeakerDigests(records.filter(isUsableTlsa)).some((record) => {
    try {
      return isMatched(record, presented);
    } catch {
      return false;
    }
  });
}

function isMatched(record: TlsaRecord, { chain, names, now }: PresentedChain): boolean {
  const certificates = chain.map((der) => new X509Certificate(der));
  const [own] = certificates;
  if (!own) return false;
  if (record.usage !== DANE_TA) return isOf(record, own);
  return isNamed(own, names) && isAnchored(record, certificates, now);
}

/**
 * True if the record matches the certificate or its key. For DANE-EE that is all: names and times do not matter.
 * (3.1.1)
 */
function isOf({ selector, matching, data }: TlsaRecord, certificate: X509Certificate): boolean {
  const selected = selector === CERTIFICATE ? certificate.raw : spkiOf(certificate);
  if (matching === FULL) return selected.equals(data);
  return createHash(matching === 1 ? 'sha256' : 'sha512')
    .update(selected)
    .digest()
    .equals(data);
}

function spkiOf({ publicKey }: X509Certificate): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

/**
 * The path from the server's certificate leads to the record's authority, and every certificate on it is within its
 * validity period. The authority must be presented too, unless the record contains all of it. (3.1.2; RFC 7671, 5.2)
 */
function isAnchored(record: TlsaRecord, path: readonly X509Certificate[], now: Date): boolean {
  for (const [i, certificate] of path.entries()) {
    if (!isInTime(certificate, now)) return false;
    const issuer = path[i + 1];
    const isLinked = issuer !== undefined && isIssuedBy(certificate, issuer);
    if (isLinked && isOf(record, issuer)) return isInTime(issuer, now);
    if (isIssuedByRecord(certificate, record, now)) return true;
    if (!isLinked) return false;
  }
  return false;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** The record contains the authority's whole certificate or key, which has signed the certificate. */
function isIssuedByRecord(certificate: X509Certificate, { selector, matching, data }: TlsaRecord, now: Date): boolean {
  if (matching !== FULL) return false;
  if (selector !== CERTIFICATE) return certificate.verify(keyOf(data));
  const issuer = new X509Certificate(data);
  return isIssuedBy(certificate, issuer) && isInTime(issuer, now);
}

function keyOf(spki: Buffer): KeyObject {
  return createPublicKey({ key: spki, format: 'der', type: 'spki' });
}

function isInTime({ validFromDate, validToDate }: X509Certificate, now: Date): boolean {
  return validFromDate <= now && now <= validToDate;
}

/** An asterisk stands for a whole first label; the common name counts only without other names. (3.2.3) */
function isNamed(own: X509Certificate, names: readonly string[]): boolean {
  return names.some((name) => own.checkHost(name, { subject: 'default', partialWildcards: false }) !== undefined);
}

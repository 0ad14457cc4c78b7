import { gunzipSync } from 'node:zlib';
import type { Fetched, Presented } from '@dmarc-ledger/dns-records';
import type { FetchFact, ProbeFact, ProbeFailure } from '@dmarc-ledger/lookups';
import { markedText } from '@dmarc-ledger/vocabulary';

/** What may be published about a document that could not be used. */
const REJECTIONS: { readonly [reason: string]: string } = {
  certificate: 'its certificate is not valid for the host',
  redirect: 'it redirects',
  not_found: 'it does not exist',
  too_large: 'it is larger than 64 KB',
  malformed: 'the answer cannot be read',
};

/** The most of a compressed document that is read. */
const MAX_INFLATED = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** `mayBeGzip`: a compressed document is inflated, whatever its media type; a logo may be SVGZ. (BIMI draft, `l`) */
export function toFetched(fact: FetchFact, { mayBeGzip } = { mayBeGzip: false }): Fetched {
  switch (fact.outcome) {
    case 'fetched':
      return {
        kind: 'text',
        body: textOf(mayBeGzip ? inflated(fact.body) : fact.body),
        mediaType: fact.mediaType || null,
      };
    case 'rejected':
      return { kind: 'rejected', reason: REJECTIONS[fact.reason] ?? `its status is ${fact.status ?? 'not 200'}` };
    case 'unreachable':
      return { kind: 'silent', reason: fact.reason };
    case 'no_host':
      return { kind: 'rejected', reason: 'the host has no address' };
    case 'forbidden':
      return { kind: 'rejected', reason: 'the host is not public' };
  }
}

function textOf(body: Buffer): string {
  return markedText(body.toString('utf8'));
}

function inflated(body: Buffer): Buffer {
  if (!body.subarray(0, 2).equals(GZIP)) return body;
  try {
    return gunzipSync(body, { maxOutputLength: MAX_INFLATED });
  } catch {
    return body; // it is not compressed, or too large
  }
}

/** What may be published about a mail server that showed no certificate. */
const UNPROBED: { readonly [reason in ProbeFailure]: string } = {
  dns: 'its addresses could not be looked up',
  no_address: 'it has no address',
  forbidden: 'it is not a public host',
  timeout: 'it did not answer in time',
  refused: 'it refused the connection',
  reset: 'it ended the connection',
  network: 'it could not be reached',
  rejected: 'it does not accept our connection',
  no_starttls: 'it offered no TLS',
  starttls_rejected: 'it refused to begin TLS',
  tls: 'the TLS handshake failed',
  malformed: 'its reply is not SMTP',
  too_large: 'its reply is too long',
  overloaded: 'too many mail servers were waiting',
};

export function toPresented(fact: ProbeFact): Presented {
  if (fact.outcome === 'presented') return { kind: 'chains', chains: fact.chains };
  return { kind: 'unknown', reason: UNPROBED[fact.reason] };
}

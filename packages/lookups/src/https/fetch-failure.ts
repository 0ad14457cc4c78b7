import { errorCode } from '@dmarc-ledger/vocabulary';
import type { Unanswered } from './fetch-fact.ts';

const unreachable: { readonly [code: string]: Unanswered } = {
  ECONNREFUSED: { outcome: 'unreachable', reason: 'refused' },
  ECONNRESET: { outcome: 'unreachable', reason: 'reset' },
  EPIPE: { outcome: 'unreachable', reason: 'reset' },
  UND_ERR_SOCKET: { outcome: 'unreachable', reason: 'reset' },
  ETIMEDOUT: { outcome: 'unreachable', reason: 'timeout' },
  UND_ERR_CONNECT_TIMEOUT: { outcome: 'unreachable', reason: 'timeout' },
  UND_ERR_HEADERS_TIMEOUT: { outcome: 'unreachable', reason: 'timeout' },
  UND_ERR_BODY_TIMEOUT: { outcome: 'unreachable', reason: 'timeout' },
  UND_ERR_RES_EXCEEDED_MAX_SIZE: { outcome: 'rejected', reason: 'too_large' },
  UND_ERR_HEADERS_OVERFLOW: { outcome: 'rejected', reason: 'too_large' },
};

/** Error codes of OpenSSL's verification, and of Node's host name check. */
const CERTIFICATE = /^(ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|EPROTO|HOSTNAME_MISMATCH)/;

export function isCertificateFault(code: string): boolean {
  return CERTIFICATE.test(code);
}

/** Interprets a connection error. */
export function fetchFailure(error: unknown): Unanswered {
  const name = error instanceof Error ? error.name : '';
  const code = errorCode(error) ?? '';
  if (name === 'TimeoutError' || name === 'AbortError') return { outcome: 'unreachable', reason: 'timeout' };
  if (error instanceof AggregateError && error.errors[0] !== undefined) return fetchFailure(error.errors[0]);
  if (isCertificateFault(code)) return { outcome: 'rejected', reason: 'certificate' };
  if (code.startsWith('HPE_')) return { outcome: 'rejected', reason: 'malformed' };
  return unreachable[code] ?? { outcome: 'unreachable', reason: 'network' };
}

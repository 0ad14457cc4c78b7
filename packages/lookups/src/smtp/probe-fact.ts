import { CodedError, errorCode } from '@dmarc-ledger/vocabulary';

/**
 * Why a server has shown no certificate. None of these says anything of the certificate that it has.
 * - `dns`, `no_address`: it could not be found. `forbidden`: no name of a host, or one of its addresses is not public.
 * - `timeout`, `refused`, `reset`, `network`: the connection.
 * - `rejected`: it does not talk to us. `no_starttls`, `starttls_rejected`: it offers no TLS, or none now. Something on
 *   the way may be to blame, so neither is a fault of the server.
 * - `tls`: the handshake failed. `malformed`, `too_large`: what it says is no SMTP, or has no end.
 * - `overloaded`: too many wait already.
 */
export type ProbeFailure =
  | 'dns'
  | 'no_address'
  | 'forbidden'
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'network'
  | 'rejected'
  | 'no_starttls'
  | 'starttls_rejected'
  | 'tls'
  | 'malformed'
  | 'too_large'
  | 'overloaded';

/** DER, the server's own certificate first. */
export type CertificateChain = readonly Uint8Array[];

export type ProbeFact =
  /** A chain for each address that showed one. */
  { outcome: 'presented'; chains: readonly CertificateChain[] } | { outcome: 'unprobed'; reason: ProbeFailure };

/** Ends a conversation. */
export class ProbeError extends CodedError<ProbeFailure> {
  override readonly retryable = true;

  constructor(code: ProbeFailure, options?: ErrorOptions) {
    super(code, `no certificate was shown: ${code}`, options);
  }
}

const reasons: { readonly [code: string]: ProbeFailure } = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  ETIMEDOUT: 'timeout',
};

export function unprobed(error: unknown): ProbeFact {
  const code = errorCode(error) ?? '';
  const reason = error instanceof ProbeError ? error.code : (reasons[code] ?? 'network');
  return { outcome: 'unprobed', reason };
}

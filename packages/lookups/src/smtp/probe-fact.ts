import { CodedError, errorCode } from '@dmarc-ledger/vocabulary';

/**
 * Why no certificate was received. None of these says anything about the server's certificate.
 * - `dns`, `no_address`: no address was found. `forbidden`: not a host name, or an address that is not public.
 * - `timeout`, `refused`, `reset`, `network`: the connection.
 * - `rejected`: the server rejects us. `no_starttls`, `starttls_rejected`: it does not offer TLS, or not now. The
 *   network may have caused it, so neither is a fault of the server.
 * - `tls`: the handshake failed. `malformed`, `too_large`: the replies are not SMTP, or do not end.
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
  /** A chain for each address that presented one. */
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

import { isCertificateFault } from '../https/fetch-failure.ts';

/**
 * - `taken`: the server accepted it; `refused` lists rejected recipients.
 * - `refused`: the server rejected it, with this status (RFC 5321, 4.2).
 * - `unreachable`: no connection, or no reply.
 */
export type MailFact =
  | { outcome: 'taken'; status: number; refused: number }
  | { outcome: 'refused'; reason: 'auth' | 'mail'; status: number }
  | { outcome: 'unreachable'; reason: 'dns' | 'tls' | 'auth' | 'timeout' | 'network' };

const reasons: { readonly [code: string]: Extract<MailFact, { outcome: 'unreachable' }>['reason'] } = {
  EDNS: 'dns',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  EAUTH: 'auth',
  ENOAUTH: 'auth',
  ETIMEDOUT: 'timeout',
};

/** Interprets an error from the mail server or the connection. */
export function mailFailure(error: unknown): MailFact {
  const {
    code = '',
    originalCode = '',
    responseCode,
  } = error as {
    code?: string;
    originalCode?: string;
    responseCode?: number;
  };
  if (responseCode !== undefined && responseCode >= 400)
    return { outcome: 'refused', reason: code === 'EAUTH' ? 'auth' : 'mail', status: responseCode };
  if (isCertificateFault(originalCode)) return { outcome: 'unreachable', reason: 'tls' };
  return { outcome: 'unreachable', reason: reasons[code] ?? 'network' };
}

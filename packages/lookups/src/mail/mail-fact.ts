import { isCertificateFault } from '../https/fetch-failure.ts';

/**
 * - `taken`: the server has it; `refused` of the addressees it does not serve.
 * - `refused`: the server said no, with this status (RFC 5321, 4.2).
 * - `unreachable`: it was not asked, or did not answer.
 */
export type MailFact =
  | { outcome: 'taken'; status: number; refused: number }
  | { outcome: 'refused'; reason: 'auth' | 'mail'; status: number }
  | { outcome: 'unreachable'; reason: 'dns' | 'tls' | 'auth' | 'timeout' | 'network' };

const reasons: { readonly [code: string]: Extract<MailFact, { outcome: 'unreachable' }>['reason'] } = {
  EDNS: 'dns',
  ENOTFOUND: 'dns',
  ETLS: 'tls',
  EREQUIRETLS: 'tls',
  EAUTH: 'auth',
  ENOAUTH: 'auth',
  ETIMEDOUT: 'timeout',
};

/** What an error on the way tells of the mail server. */
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

import { CodedError, connectionFailure } from '@dmarc-ledger/vocabulary';

export type MailboxFaultCode =
  | 'auth_failed'
  | 'token_refused'
  | 'token_unavailable'
  | 'connect_failed'
  | 'host_forbidden'
  | 'tls_failed'
  | 'connection_lost'
  | 'throttled'
  | 'folder_missing'
  | 'command_failed'
  | 'mail_left_behind'
  | 'secret_key_unknown'
  | 'ledger_failed';

/** Repeated tries of these lock the account: only a person can fix them. */
const FINAL: ReadonlySet<MailboxFaultCode> = new Set(['auth_failed', 'token_refused']);

/** Why a mailbox cannot be read, in a sentence for its operator. */
export class MailboxFault extends CodedError<MailboxFaultCode> {
  override readonly retryable: boolean;
  /** How long the server asks clients to wait, in milliseconds; an hour at most. */
  readonly waitMs: number;

  constructor(code: MailboxFaultCode, message: string, options: { cause?: unknown; waitMs?: number } = {}) {
    super(code, message, { cause: options.cause });
    this.retryable = !FINAL.has(code);
    this.waitMs = options.waitMs ?? 0;
  }
}

const TLS_CODES = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|EPROTO|STARTTLS)/;
const UNKNOWN_AUTHORITY = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER))/;
const CONNECT_CODES =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT)$/;
/** The first bytes of the server are no TLS record: usually a plaintext greeting. */
const NO_TLS_THERE = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST)$/;
/** The longest wait that is granted to a server; a timer of more than 24 days would end at once. */
const LONGEST_WAIT_MS = 3_600_000;
/** The server could not check the credentials; that does not mean that they are wrong. (RFC 5530, 3) */
const NOT_NOW = /^(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG)$/;

/** Converts an error of the IMAP client to a fault, which contains nothing of what was sent. */
export function faultOf(error: unknown): MailboxFault {
  if (error instanceof MailboxFault) return error;
  const { code, response, message } = detailsOf(error);
  if (isTrue(error, 'authenticationFailed')) {
    return NOT_NOW.test(code)
      ? new MailboxFault('connect_failed', `The server cannot check the sign-in now: ${response}`, { cause: error })
      : new MailboxFault('auth_failed', `The server refused the sign-in: ${response}`, { cause: error });
  }
  if (code === 'ETHROTTLE') {
    const waitMs = Math.min(Number(fieldOf(error, 'throttleReset')) || 0, LONGEST_WAIT_MS);
    return new MailboxFault('throttled', `The server asks us to slow down: ${response}`, { cause: error, waitMs });
  }
  if (TLS_CODES.test(code))
    return new MailboxFault('tls_failed', `TLS failed: ${tlsReason(message, code)}`, { cause: error });
  const unreached = connectionFailure(error);
  if (CONNECT_CODES.test(code))
    return new MailboxFault('connect_failed', `No connection: ${unreached ?? (message || code)}`, { cause: error });
  if (/STARTTLS/i.test(message)) return new MailboxFault('tls_failed', `TLS failed: ${message}`, { cause: error });
  if (/^(?:NO|BAD)$/.test(textOf(fieldOf(error, 'responseStatus'))))
    return new MailboxFault('command_failed', `The server refused a command: ${response}`, { cause: error });
  const reason = textOf(fieldOf(error, 'reason')).slice(0, 200) || unreached || message || code || 'no reason given';
  return new MailboxFault('connection_lost', `The connection ended: ${reason}`, { cause: error });
}

/** Node.js has advice for the operator of the process; this one is for those who add mailboxes. */
function tlsReason(message: string, code: string): string {
  if (NO_TLS_THERE.test(code))
    return (
      'the server does not speak TLS at this port. Give the port of IMAP over TLS, usually 993, or use --tls ' +
      'starttls if the server offers STARTTLS here'
    );
  const [, ofOpenSsl] = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+)/.exec(message) ?? [];
  if (ofOpenSsl !== undefined) return `${ofOpenSsl} (${code})`;
  const reason = `${message.replace(/; if the root CA .*$/s, '')} (${code})`;
  return UNKNOWN_AUTHORITY.test(code) ? `${reason}. If the authority is your own, name it with --ca-file` : reason;
}

/** Recognizes the server's request to slow down in the log of the IMAP client, which on its own would wait silently. */
export function throttleIn(entry: unknown): MailboxFault | undefined {
  const waitMs = Number(fieldOf(entry, 'throttleDelay'));
  return waitMs > 0 ? faultOf(fieldOf(entry, 'err')) : undefined;
}

function detailsOf(error: unknown): { code: string; response: string; message: string } {
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
  const code = textOf(fieldOf(error, 'serverResponseCode')) || textOf(fieldOf(error, 'code'));
  return {
    code,
    response: (textOf(fieldOf(error, 'responseText')) || message).slice(0, 200),
    message: message.slice(0, 200),
  };
}

function isTrue(error: unknown, name: string): boolean {
  return fieldOf(error, name) === true;
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

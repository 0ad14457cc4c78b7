import { CodedError } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import { MailboxFault } from '../src/index.ts';
import { faultOf } from '../src/mailbox/mailbox-fault.ts';

describe('what is wrong with a mailbox', () => {
  it.each([
    ['auth_failed', false],
    ['token_refused', false],
    ['token_unavailable', true],
    ['connection_lost', true],
    ['throttled', true],
  ] as const)('%s says as every error does whether another try can help: %s', (code, retryable) => {
    const fault = new MailboxFault(code, 'A sentence.');
    expect(fault).toBeInstanceOf(CodedError);
    expect(fault).toMatchObject({ name: 'MailboxFault', code, retryable });
  });

  it.each([
    [
      { code: 'ECONNREFUSED', address: '127.0.0.1', port: 993 },
      'connect_failed',
      /^No connection: no server accepts connections at 127\.0\.0\.1:993; check /,
    ],
    [
      { code: 'ENOTFOUND', hostname: 'imap.example' },
      'connect_failed',
      /^No connection: the host name imap\.example does not exist; /,
    ],
    [{ code: 'ECONNRESET' }, 'connection_lost', /^The connection ended: the server broke the connection off; /],
    [{ code: 'GREETING_TIMEOUT' }, 'connect_failed', /^No connection: a raw text$/],
  ])('%j is %s, in words', (fields, code, message) => {
    const fault = faultOf(Object.assign(new Error('a raw text'), fields));
    expect(fault).toMatchObject({ code, message: expect.stringMatching(message), retryable: true });
  });
});

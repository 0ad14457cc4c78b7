import { CodedError } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import { MailboxFault } from '../src/index.ts';

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
});

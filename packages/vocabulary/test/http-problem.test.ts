import { describe, expect, it } from 'vitest';
import { CodedError, errorCode, HttpProblem, isFinal } from '../src/index.ts';

describe('the error protocol', () => {
  it.each([
    [400, false],
    [401, false],
    [404, false],
    [413, false],
    [408, true],
    [429, true],
    [500, false],
    [503, true],
  ])('a problem of status %i says whether the same request may succeed later: %s', (status, retryable) => {
    const problem = new HttpProblem('some_code', { status, error: 'Some Error' });
    expect(problem).toBeInstanceOf(CodedError);
    expect(problem).toMatchObject({ code: 'some_code', retryable, message: 'Some Error' });
    expect(isFinal(problem)).toBe(!retryable);
  });

  it('shows the client the error and what programs branch on, never the code of our own figures', () => {
    const headers = { 'retry-after': '5' };
    expect(new HttpProblem('revoked', { status: 401, error: 'Invalid API Key' }).body).toEqual({
      error: 'Invalid API Key',
    });
    const limited = new HttpProblem('x', { status: 429, error: 'Too Many', code: 'rate_limited', headers });
    expect(limited.body).toEqual({ error: 'Too Many', code: 'rate_limited' });
    expect(limited.headers).toEqual(headers);
  });

  it('reads the code of any error, and takes one without a code for what may pass', () => {
    expect(errorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
    expect(errorCode(new Error('x'))).toBeUndefined();
    expect(errorCode(null)).toBeUndefined();
    expect(isFinal(new Error('x'))).toBe(false);
  });
});

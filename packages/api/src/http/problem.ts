import type { KeyFault } from '@dmarc-ledger/ledger/for-api';

/**
 * What a request is refused with: a status, the error body and, where the status asks for them, headers.
 * (rules, api/errors)
 */
export class Problem extends Error {
  readonly status: number;
  readonly body: ProblemBody;
  readonly headers: { [name: string]: string };
  /** For our own figures; the client is not told. */
  readonly reason: string | undefined;

  constructor(status: number, body: ProblemBody, headers: { [name: string]: string } = {}, reason?: string) {
    super(body.error);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.reason = reason;
  }
}

export interface ProblemBody {
  /** For people: what is wrong, in title case. */
  error: string;
  /** For programs, where they have to tell two causes apart. */
  code?: string;
  /** The permission that the request lacked. */
  required?: string;
}

const RETRY_SECONDS = '5';

export function badRequest(error: string): Problem {
  return new Problem(400, { error });
}

export type AuthFault = 'missing' | 'malformed' | KeyFault;

/**
 * One body for a key that is missing, malformed, unknown, revoked, expired or not entitled: no oracle. (RFC 6750, 3;
 * rules, api/keys)
 */
export function unauthorized(fault: AuthFault): Problem {
  const invalid = fault === 'missing' ? '' : ', error="invalid_token", error_description="The API key is not valid"';
  return new Problem(401, { error: 'Invalid API Key' }, { 'www-authenticate': `Bearer realm="api"${invalid}` }, fault);
}

export function forbidden(required: string): Problem {
  const challenge = 'Bearer realm="api", error="insufficient_scope", scope="read"';
  return new Problem(403, { error: 'Permission Denied', required }, { 'www-authenticate': challenge });
}

export function notFound(error = 'Not Found'): Problem {
  return new Problem(404, { error });
}

/** An abuse limit: whoever waits as long may try again. */
export function rateLimited(seconds: number): Problem {
  return tooMany('Rate Limit Exceeded', 'rate_limited', seconds);
}

/** Nothing helps before the next hour begins. */
export function quotaExceeded(seconds: number): Problem {
  return tooMany('Hourly Quota Exceeded', 'quota_exceeded', seconds);
}

function tooMany(error: string, code: string, seconds: number): Problem {
  return new Problem(429, { error, code }, { 'retry-after': String(seconds) }, code);
}

/** Heavy work of the organization takes all slots. */
export function tooMuchAtOnce(): Problem {
  return new Problem(503, { error: 'Too Many Concurrent Requests' }, { 'retry-after': '1' });
}

export function unavailable(): Problem {
  return new Problem(503, { error: 'Service Unavailable' }, { 'retry-after': RETRY_SECONDS });
}

export function unexpected(): Problem {
  return new Problem(500, { error: 'Internal Server Error' });
}

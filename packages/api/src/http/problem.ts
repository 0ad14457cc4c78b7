import type { KeyFault } from '@dmarc-ledger/ledger/for-api';
import { HttpProblem } from '@dmarc-ledger/vocabulary';

// All problems that the API can return for a request. (rules, api/errors)

const RETRY_SECONDS = '5';

/** @param detail which parameter is refused, and what it takes; a sentence */
export function badRequest(error: string, detail?: string): HttpProblem {
  return new HttpProblem('bad_request', { status: 400, error, ...(detail !== undefined && { detail }) });
}

export type AuthFault = 'missing' | 'malformed' | KeyFault;

/**
 * The same body for a key that is missing, malformed, unknown, revoked, expired or not entitled, so that it reveals
 * nothing. (RFC 6750, 3; RFC 7617, 2; rules, api/keys)
 */
export function unauthorized(fault: AuthFault, scheme: 'Bearer' | 'Basic' = 'Bearer'): HttpProblem {
  const invalid = fault === 'missing' ? '' : ', error="invalid_token", error_description="The API key is not valid"';
  const challenge = scheme === 'Basic' ? 'Basic realm="api", charset="UTF-8"' : `Bearer realm="api"${invalid}`;
  const headers = { 'www-authenticate': challenge };
  return new HttpProblem(fault, { status: 401, error: 'Invalid API Key', headers });
}

export function forbidden(required: string): HttpProblem {
  const headers = { 'www-authenticate': 'Bearer realm="api", error="insufficient_scope", scope="read"' };
  return new HttpProblem('forbidden', { status: 403, error: 'Permission Denied', required, headers });
}

export function notFound(error = 'Not Found'): HttpProblem {
  return new HttpProblem('not_found', { status: 404, error });
}

/** An abuse limit was reached; the client may retry after this time. */
export function rateLimited(seconds: number): HttpProblem {
  return tooMany('Rate Limit Exceeded', 'rate_limited', seconds);
}

/** The quota is used up until the next hour begins. */
export function quotaExceeded(seconds: number): HttpProblem {
  return tooMany('Hourly Quota Exceeded', 'quota_exceeded', seconds);
}

function tooMany(error: string, code: string, seconds: number): HttpProblem {
  return new HttpProblem(code, { status: 429, error, code, headers: { 'retry-after': String(seconds) } });
}

/** Expensive requests of the organization use all slots. */
export function tooMuchAtOnce(): HttpProblem {
  const headers = { 'retry-after': '1' };
  return new HttpProblem('too_much_at_once', { status: 503, error: 'Too Many Concurrent Requests', headers });
}

export function unavailable(): HttpProblem {
  return new HttpProblem('unavailable', {
    status: 503,
    error: 'Service Unavailable',
    headers: { 'retry-after': RETRY_SECONDS },
  });
}

export function unexpected(): HttpProblem {
  return new HttpProblem('unexpected', { status: 500, error: 'Internal Server Error' });
}

/** The problem for bytes that Node.js could not parse as a request, by its error code. */
export function unreadable(code: string | undefined): HttpProblem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpProblem('header_overflow', { status: 431, error: 'Request Header Fields Too Large' });
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new HttpProblem('request_timeout', { status: 408, error: 'Request Timeout' });
  return badRequest('Bad Request');
}

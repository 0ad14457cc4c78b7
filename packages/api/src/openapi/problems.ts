import { headerRef, onEveryAnswer, onMeteredAnswer } from './headers.ts';

export const errorSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'For people: what is wrong, in title case.' },
    detail: {
      type: 'string',
      description: 'For people: which parameter is refused, and what it takes; with 400 only.',
    },
    code: { type: 'string', description: 'For programs; branch on it when it is there.' },
    required: { type: 'string', description: 'The permission that the request lacked; on a permission denial only.' },
  },
};

interface Refused {
  description: string;
  example: { error: string; detail?: string; code?: string; required?: string };
  /** For a request that passed the quota, or was stopped by it. */
  metered?: boolean;
  headers?: { [name: string]: { $ref: string } };
}

function refusedWith({ description, example, metered = false, headers = {} }: Refused) {
  return {
    description,
    headers: { ...(metered ? onMeteredAnswer : onEveryAnswer), ...headers },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
  };
}

const NOT_READ =
  'The bytes are not a request that can be read, such as a target with characters beyond ASCII that are not ' +
  'percent-encoded.';

/** Error responses that every endpoint can return. */
export const responses = {
  BadRequest: refusedWith({ description: NOT_READ, example: { error: 'Bad Request' } }),
  RequestTimeout: refusedWith({
    description: 'The request did not arrive within 15 seconds.',
    example: { error: 'Request Timeout' },
  }),
  HeadersTooLarge: refusedWith({
    description: 'The request line and headers are larger than 16 KiB.',
    example: { error: 'Request Header Fields Too Large' },
  }),
  Unauthorized: refusedWith({
    description: 'The API key is missing, malformed, unknown, revoked, expired or not entitled.',
    example: { error: 'Invalid API Key' },
    headers: { 'WWW-Authenticate': headerRef('Authenticate') },
  }),
  Forbidden: refusedWith({
    description: "The key's scope or its owner's role does not allow the operation.",
    example: { error: 'Permission Denied', required: 'report:read' },
    headers: { 'WWW-Authenticate': headerRef('Authenticate') },
  }),
  Unexpected: refusedWith({
    description: 'Something unexpected; try again with growing pauses.',
    example: { error: 'Internal Server Error' },
    metered: true,
  }),
  TooManyRequests: refusedWith({
    description:
      'With `code` `quota_exceeded` the hourly quota is spent: nothing helps before `X-RateLimit-Reset`. With ' +
      '`rate_limited` requests came too fast: wait as long as `Retry-After` says. Neither counts against the quota.',
    example: { error: 'Hourly Quota Exceeded', code: 'quota_exceeded' },
    metered: true,
    headers: { 'Retry-After': headerRef('RetryAfter') },
  }),
  Unavailable: unavailableResponse('Storage could not be read for the moment.'),
  UnavailableOrBusy: unavailableResponse(
    'Storage could not be read for the moment, or too many expensive requests of the organization are in flight.',
  ),
};

/** A refusal that an endpoint describes itself. */
export function refusedResponse(status: 400 | 404, description: string) {
  const example =
    status === 400
      ? { error: 'Invalid Parameter', detail: 'days must be a whole number from 1 to 90.' }
      : { error: 'Not Found' };
  return refusedWith({
    description: status === 400 ? `${description} Or: ${NOT_READ}` : description,
    example,
    metered: true,
  });
}

export function unavailableResponse(description: string) {
  return refusedWith({
    description,
    example: { error: 'Service Unavailable' },
    metered: true,
    headers: { 'Retry-After': headerRef('RetryAfter') },
  });
}

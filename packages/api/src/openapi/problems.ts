import { headerRef, onEveryAnswer, onMeteredAnswer } from './headers.ts';

export const errorSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'For people: what is wrong, in title case.' },
    code: { type: 'string', description: 'For programs; branch on it when it is there.' },
    required: { type: 'string', description: 'The permission that the request lacked; on a permission denial only.' },
  },
};

interface Refused {
  description: string;
  example: { error: string; code?: string; required?: string };
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

/** Error responses that every endpoint can return. */
export const responses = {
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

export function refusedResponse(description: string, error: string) {
  return refusedWith({ description, example: { error }, metered: true });
}

export function unavailableResponse(description: string) {
  return refusedWith({
    description,
    example: { error: 'Service Unavailable' },
    metered: true,
    headers: { 'Retry-After': headerRef('RetryAfter') },
  });
}

import { headerRef, onEveryAnswer } from './headers.ts';

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
  example: { error: string; required?: string };
  headers?: { [name: string]: { $ref: string } };
}

function refusedWith({ description, example, headers = {} }: Refused) {
  return {
    description,
    headers: { ...onEveryAnswer, ...headers },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
  };
}

/** What every endpoint can answer instead. */
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
  }),
  Unavailable: refusedWith({
    description: 'Storage could not be read for the moment.',
    example: { error: 'Service Unavailable' },
    headers: { 'Retry-After': headerRef('RetryAfter') },
  }),
};

export function badRequestResponse(description: string, error: string) {
  return refusedWith({ description, example: { error } });
}

/** Headers of answers, described once and referred to. */
export const headers = {
  RequestId: { description: 'Names the request in our logs; a client may send its own.', schema: { type: 'string' } },
  Authenticate: { description: 'How to authenticate (RFC 6750).', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer', minimum: 1 } },
  Disposition: { description: 'Names the file.', schema: { type: 'string' } },
} as const;

export function headerRef(name: keyof typeof headers): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

export const onEveryAnswer = { 'X-Request-Id': headerRef('RequestId') };

const onQuota = 'On plans with an hourly quota.';

/** Response headers, described once and referenced. */
export const headers = {
  CacheControl: { description: 'No cache may keep the answer: `private, no-store`.', schema: { type: 'string' } },
  Vary: { description: 'The answer depends on the key: `Authorization`.', schema: { type: 'string' } },
  RequestId: { description: 'Names the request in our logs; a client may send its own.', schema: { type: 'string' } },
  Authenticate: { description: 'How to authenticate (RFC 6750).', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before trying again.', schema: { type: 'integer', minimum: 1 } },
  RateLimitLimit: { description: `Requests an hour. ${onQuota}`, schema: { type: 'integer', minimum: 1 } },
  RateLimitRemaining: {
    description: `Requests that are left in this clock hour. ${onQuota}`,
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    description: `When the clock hour ends, in epoch seconds. ${onQuota}`,
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitPolicy: {
    description: `The quota as a structured field, such as \`"hourly";q=1000;w=3600\`. ${onQuota}`,
    schema: { type: 'string' },
  },
  RateLimit: {
    description: `What is left and for how many seconds, such as \`"hourly";r=873;t=1260\`. ${onQuota}`,
    schema: { type: 'string' },
  },
  Disposition: { description: 'Names the file.', schema: { type: 'string' } },
} as const;

export function headerRef(name: keyof typeof headers): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

export const onEveryAnswer = {
  'X-Request-Id': headerRef('RequestId'),
  'Cache-Control': headerRef('CacheControl'),
  Vary: headerRef('Vary'),
};

/** Headers of every response to a metered request. */
export const onMeteredAnswer = {
  ...onEveryAnswer,
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
  RateLimit: headerRef('RateLimit'),
};

const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

export type Credentials = { kind: 'none' } | { kind: 'malformed' } | { kind: 'bearer'; token: string };

/**
 * Reads the credentials of a request from its raw headers (name, value, name, value …): of two `Authorization` headers
 * Node.js would silently keep the first, and exactly one is accepted. (RFC 6750, 2.1; RFC 9110, 11.6.2)
 */
export function readCredentials(rawHeaders: readonly string[]): Credentials {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization');
  if (values.length === 0) return { kind: 'none' };
  const token = values.length === 1 ? CREDENTIALS.exec(values[0]!.trim())?.[1] : undefined;
  return token === undefined ? { kind: 'malformed' } : { kind: 'bearer', token };
}

const CREDENTIALS = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** User and password in base64; a user name never has a colon. */
const PASSWORD = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

export type Credentials = { kind: 'none' } | { kind: 'malformed' } | { kind: 'bearer'; token: string };

/**
 * Reads the credentials of a request from its raw headers (name, value, name, value …): of two `Authorization` headers
 * Node.js would silently keep the first, and exactly one is accepted. (RFC 6750, 2.1; RFC 9110, 11.6.2)
 *
 * @param takesPassword whether the token may also come as a password (RFC 7617, 2)
 */
export function readCredentials(rawHeaders: readonly string[], takesPassword = false): Credentials {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'authorization');
  if (values.length === 0) return { kind: 'none' };
  const value = values.length === 1 ? values[0]!.trim() : '';
  const token = CREDENTIALS.exec(value)?.[1] ?? (takesPassword ? passwordOf(value) : undefined);
  return token === undefined ? { kind: 'malformed' } : { kind: 'bearer', token };
}

function passwordOf(value: string): string | undefined {
  const encoded = PASSWORD.exec(value)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : text.slice(colon + 1);
}

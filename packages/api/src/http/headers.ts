import { randomUUID } from 'node:crypto';

export type Headers = { [name: string]: string };

/** Headers of every response: it is not cached, its type is not guessed, and a page opened from it loads nothing. */
export const everyAnswer: Headers = {
  'cache-control': 'private, no-store',
  vary: 'Authorization',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

export const JSON_TYPE = 'application/json; charset=utf-8';

const ECHOED = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the client's own request id if it is harmless, else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && ECHOED.test(sent) ? sent : randomUUID();
}

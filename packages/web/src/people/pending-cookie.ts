import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieFor } from '../server/session-cookie.ts';

/** What a browser keeps while a person is at the identity provider: only this browser can finish what it began. */
const Pending = z.object({
  state: z.string().max(200),
  nonce: z.string().max(200),
  verifier: z.string().max(200),
  next: z.string().max(2_000),
});
export type PendingCookie = z.output<typeof Pending>;

const NAME = 'dmarc_ledger_oidc';
const SECONDS = 600;

export function keepPending(
  request: FastifyRequest,
  reply: FastifyReply,
  appUrl: string | undefined,
  pending: PendingCookie,
) {
  const { name, options } = cookieFor(request, appUrl, NAME);
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
  return reply.setCookie(name, value, { ...options, maxAge: SECONDS });
}

/** Reads and removes it: it serves once. */
export function takePending(
  request: FastifyRequest,
  reply: FastifyReply,
  appUrl: string | undefined,
): PendingCookie | undefined {
  const { name, options } = cookieFor(request, appUrl, NAME);
  const value = request.cookies[name];
  if (value === undefined) return undefined;
  reply.clearCookie(name, options);
  return read(Buffer.from(value, 'base64url').toString());
}

function read(text: string): PendingCookie | undefined {
  try {
    return Pending.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

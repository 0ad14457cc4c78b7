import type { FastifyReply, FastifyRequest } from 'fastify';
import { schemeOf } from './headers.ts';

const NAME = 'dmarc_ledger_session';
const DAYS_90 = 90 * 86_400;

/**
 * The name and the options of a cookie. `__Host-` binds it to this host and to HTTPS; a browser refuses it over plain
 * HTTP on loopback.
 */
export function cookieFor(request: FastifyRequest, appUrl: string | undefined, plainName: string) {
  const secure = schemeOf(request.headers, appUrl) === 'https';
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  return { name: secure ? `__Host-${plainName}` : plainName, options };
}

export function readToken(request: FastifyRequest, appUrl: string | undefined): string | undefined {
  const token = request.cookies[cookieFor(request, appUrl, NAME).name];
  return token && token.length <= 100 ? token : undefined;
}

export function keepToken(request: FastifyRequest, reply: FastifyReply, appUrl: string | undefined, token: string) {
  const { name, options } = cookieFor(request, appUrl, NAME);
  return reply.setCookie(name, token, { ...options, maxAge: DAYS_90 });
}

export function dropToken(request: FastifyRequest, reply: FastifyReply, appUrl: string | undefined) {
  const { name, options } = cookieFor(request, appUrl, NAME);
  return reply.clearCookie(name, options);
}

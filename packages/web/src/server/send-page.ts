import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Download, Shown, Standalone } from '../page/define-page.ts';
import type { Frame, RefusedForm } from '../page/frame.ts';
import type { Viewer } from '../page/viewer.ts';
import { formatsOf } from '../page/formats.ts';
import { findSignedIn, type SignedIn } from './find-viewer.ts';
import { addressOf, fileHeaders, pageHeaders, standaloneHeaders } from './headers.ts';
import type { WebNeeds } from './web-needs.ts';
import { renderPage } from './render.tsx';
import { sentFrom } from './sent-from.ts';
import { dropToken, readToken } from './session-cookie.ts';

const compress = promisify(gzip);

export interface At {
  request: FastifyRequest;
  reply: FastifyReply;
  viewer: Viewer | undefined;
  /** The address of the page, where it is not the one that was asked for. */
  url?: URL;
  /** The form that is answered, if it was refused. */
  refused?: RefusedForm;
}

/** The database before an organization is known: sessions and people, and no organization's rows. */
export function peopleOf({ reads }: WebNeeds) {
  return reads.of('');
}

/** Finds who is signed in. A cookie whose session has ended is removed. */
export async function findSignedInOf(
  needs: WebNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | undefined> {
  const token = readToken(request, needs.appUrl);
  if (token === undefined) return undefined;
  const signedIn = await findSignedIn(peopleOf(needs), token);
  if (!signedIn) dropToken(request, reply, needs.appUrl);
  return signedIn;
}

export async function findViewer(
  needs: WebNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Viewer | undefined> {
  return (await findSignedInOf(needs, request, reply))?.viewer;
}

/** Leads a request that has no viewer on: to signing in, or with a session to the page that says why there is none. */
export async function sendWithoutViewer(
  signedIn: SignedIn | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!signedIn) return await sendToSignIn(request, reply);
  return await reply.header('cache-control', 'no-store').redirect('/orgs', 303);
}

/** Leads to signing in, and from there back to the page that was asked for, or to that of the form that was sent. */
export async function sendToSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const page = request.method === 'POST' ? sentFrom(request) : request.url;
  const next = page === '/' ? '' : `?next=${encodeURIComponent(page)}`;
  return await reply.header('cache-control', 'no-store').redirect(`/sign-in${next}`, 303);
}

/** What the parts of a page ask for. */
function frameOf(needs: WebNeeds, { request, viewer, url, refused }: Omit<At, 'reply'>): Frame {
  return {
    url: url ?? addressOf(request, needs.appUrl),
    formats: formatsOf(request.headers['accept-language']),
    viewer,
    refused,
  };
}

export async function sendPage(
  needs: WebNeeds,
  { reply, ...at }: At,
  shown: Shown | Download | Standalone,
  status = 200,
): Promise<FastifyReply> {
  if ('document' in shown) return await reply.code(200).headers(standaloneHeaders).send(shown.document);
  if ('filename' in shown) {
    const { type, filename, body } = shown;
    return await reply.headers(fileHeaders(type, filename)).send(body);
  }
  const html = renderPage(frameOf(needs, at), shown);
  const zips = /\bgzip\b/.test(at.request.headers['accept-encoding'] ?? '');
  if (zips) reply.header('content-encoding', 'gzip');
  return await reply
    .code(status)
    .headers(pageHeaders)
    .send(zips ? await compress(html) : html);
}

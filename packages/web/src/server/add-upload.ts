import type { Readable } from 'node:stream';
import { createTicket } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance } from 'fastify';
import { request } from 'undici';
import { isAllowed } from '../page/viewer.ts';
import { requireOwnOrigin, requireSameOrganization } from './require-rights.ts';
import type { LetBodyLast } from './limit-bodies.ts';
import { findSignedInOf, sendWithoutViewer } from './send-page.ts';
import type { WebNeeds } from './web-needs.ts';

const PATH = '/settings/ingest/upload';
const INGEST_PATH = '/ingest/v1/reports';

/**
 * Sends a form with files on to the ingester as it arrives: nothing is kept here, and the answer is that of the
 * ingester, which has made every file durable. A program that asks for JSON gets the deliveries, a browser the page.
 */
export function addUploadRoute(server: FastifyInstance, needs: WebNeeds, letBodyLast: LetBodyLast): void {
  server.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
  server.post(PATH, { bodyLimit: Number.MAX_SAFE_INTEGER }, async (posted, reply) => {
    requireOwnOrigin(needs, posted);
    const signedIn = await findSignedInOf(needs, posted, reply);
    const viewer = signedIn?.viewer;
    if (!viewer) return await sendWithoutViewer(signedIn, posted, reply);
    requireSameOrganization(viewer, posted);
    if (!isAllowed(viewer, 'upload')) throw refused(403, `Your role, ${viewer.role}, does not allow this`);
    if (needs.ingestUrl === undefined) throw refused(422, 'Uploads are not set up: INGEST_URL is missing');
    if (!(posted.body instanceof Object)) throw refused(415, 'Choose a file to upload');
    const token = await createTicket(needs.reads.of(viewer.orgId), viewer.orgId);
    letBodyLast(posted.raw); // the ingester has limits of its own
    const { status, body } = await sendOn(
      `${needs.ingestUrl}${INGEST_PATH}`,
      token,
      posted.headers,
      posted.body as Readable,
    );
    if (posted.headers.accept?.includes('application/json'))
      return await reply.code(status).type('application/json').send(body);
    if (status !== 202) throw refused(status, sentenceOf(body));
    return await reply.redirect('/settings/ingest?uploaded=1', 303);
  });
}

async function sendOn(
  url: string,
  token: string,
  {
    'content-type': type,
    'content-length': length,
  }: { 'content-type'?: string | undefined; 'content-length'?: string | undefined },
  body: Readable,
): Promise<{ status: number; body: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(type !== undefined && { 'content-type': type }),
    ...(length !== undefined && { 'content-length': length }),
  };
  try {
    const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body });
    return { status: statusCode, body: await answer.text() };
  } catch (cause) {
    throw new HttpProblem(
      'ingester_away',
      { status: 503, error: 'The upload could not be passed on. Try again' },
      { cause },
    );
  }
}

function sentenceOf(body: string): string {
  const match = /"error":"([^"]{1,200})"/.exec(body);
  return match?.[1] ?? 'The upload was refused';
}

function refused(status: number, error: string): HttpProblem {
  return new HttpProblem('upload_refused', { status, error });
}

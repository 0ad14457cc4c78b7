import { setTimeout as sleep } from 'node:timers/promises';
import { AccessError } from '@dmarc-ledger/ledger/for-web';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import { isStorageFailure } from '@dmarc-ledger/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { useFrame } from '../page/frame.ts';
import { homeOf } from '../page/viewer.ts';
import type { WebNeeds } from './web-needs.ts';
import { noPage } from './named-organization.tsx';
import { findViewer, sendPage } from './send-page.ts';

export const NOT_FOUND = 404;
export const FIRST_FAULT = 500;
/** A database that is gone is not waited for twice: the server gives up a silent connection. */
const VIEWER_MS = 1_000;

/** Answers an error with a page in plain words; a fault of this server is reported with the id that the page shows. */
export async function answerProblem(
  needs: WebNeeds,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { status, text } = wordsFor(error);
  if (status >= FIRST_FAULT) needs.onFault(error, request.id);
  const found = findViewer(needs, request, reply).catch(() => undefined);
  const viewer = await Promise.race([found, sleep(VIEWER_MS, undefined, { ref: false })]);
  const reference = status >= FIRST_FAULT ? request.id : undefined;
  const shown = { title: text, body: <ProblemBody status={status} text={text} reference={reference} /> };
  return await sendPage(needs, { request, reply, viewer }, shown, status);
}

export async function answerMissing(needs: WebNeeds, request: FastifyRequest, reply: FastifyReply) {
  return await answerProblem(needs, noPage(), request, reply);
}

/** The words of a client's mistake are its own; those of a fault never show what went wrong inside. */
export function wordsFor(error: unknown): { status: number; text: string } {
  if (error instanceof HttpProblem) return { status: error.status, text: error.body.error };
  if (error instanceof AccessError) return { status: statusOf(error), text: error.message };
  if (isStorageFailure(error)) return { status: 503, text: 'The database did not answer. Try again in a moment' };
  const status = Object(error).statusCode;
  const isRefusal = typeof status === 'number' && status >= 400 && status < FIRST_FAULT;
  return isRefusal
    ? { status, text: 'This request cannot be read' }
    : { status: 500, text: 'Something went wrong here' };
}

function statusOf({ code }: AccessError): number {
  if (code.endsWith('_unknown')) return NOT_FOUND;
  return code === 'not_allowed' ? 403 : 400;
}

function ProblemBody({ status, text, reference }: { status: number; text: string; reference: string | undefined }) {
  const home = homeOf(useFrame().viewer);
  return (
    <section class="panel">
      <h1>{text}</h1>
      {status === NOT_FOUND && <p>It may have been removed, or it belongs to another organization.</p>}
      {reference !== undefined && (
        <p>
          The log has the cause under <code>{reference}</code>.
        </p>
      )}
      <p>
        <a href={home}>{home === '/' ? 'Back to the overview' : 'Back to intake'}</a>
      </p>
    </section>
  );
}

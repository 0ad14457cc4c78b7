import { errorCode, HttpProblem } from '@dmarc-ledger/vocabulary';
import type { FastifyReply } from 'fastify';

export function notFound(error: string): HttpProblem {
  return new HttpProblem('not_found', { status: 404, error });
}

export function unsupportedType(): HttpProblem {
  const code = 'unsupported_media_type';
  return new HttpProblem(code, { status: 415, error: 'Unsupported Media Type', code });
}

export function emptyUpload(): HttpProblem {
  return new HttpProblem('empty_upload', { status: 400, error: 'Nothing Was Uploaded', code: 'empty_upload' });
}

/** A delivery beyond the limit for one. */
export function tooLarge(): HttpProblem {
  return new HttpProblem('payload_too_large', { status: 413, error: 'Payload Too Large', code: 'payload_too_large' });
}

/**
 * The one place that turns an error into a response of an upload; the reason of an unexpected error is not disclosed.
 */
export function sendError(reply: FastifyReply, error: unknown, onFault: (error: unknown) => void): FastifyReply {
  const problem = error instanceof HttpProblem ? error : clientError(error);
  if (!problem) {
    onFault(error);
    return reply.code(500).send({ error: 'Internal Server Error' });
  }
  return reply.code(problem.status).headers(problem.headers).send(problem.body);
}

/** The error of a body whose sender has gone, or whose form ends in the middle of a file. */
const CUT = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The form reader's errors about an invalid form, or one that ends in the middle. */
const FORM_FAULT = /unexpected end of multipart data$|^Multipart: Boundary not found$|^Malformed part header$/i;

/** Errors of Fastify or the form reader about the request itself; also a sender that has gone. */
function clientError(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const isCut = CUT.has(errorCode(error) ?? '');
  if (isCut || FORM_FAULT.test(error.message)) return badRequest(400);
  if (!('statusCode' in error)) return undefined;
  const status = Number(error.statusCode);
  if (status === 413) return tooLarge();
  return status >= 400 && status < 500 ? badRequest(status) : undefined;
}

function badRequest(status: number): HttpProblem {
  return new HttpProblem('bad_request', { status, error: 'Bad Request' });
}

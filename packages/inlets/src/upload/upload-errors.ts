import type { FastifyReply } from 'fastify';

/** An upload that is turned away: the status, a title-cased reason, and a code where clients branch on one. */
export class UploadRefused extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly headers: { readonly [name: string]: string };
  readonly required: string | undefined;

  constructor(
    status: number,
    reason: string,
    code?: string,
    { headers = {}, required }: { headers?: { [name: string]: string }; required?: string } = {},
  ) {
    super(reason);
    this.name = 'UploadRefused';
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.required = required;
  }
}

/** Every refusal and every fault in the one error body; a fault's reason stays inside. */
export function sendError(reply: FastifyReply, error: unknown, onFault: (error: unknown) => void): FastifyReply {
  const refused = error instanceof UploadRefused ? error : clientError(error);
  if (!refused) {
    onFault(error);
    return reply.code(500).send({ error: 'Internal Server Error' });
  }
  return reply
    .code(refused.status)
    .headers(refused.headers)
    .send({ error: refused.message, code: refused.code, required: refused.required });
}

/** What a body ends with whose sender has gone, or whose form ends in the middle of a file. */
const CUT = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** What the form reader says of a form that is none, or that ends in the middle. */
const FORM_FAULT = /unexpected end of multipart data$|^Multipart: Boundary not found$|^Malformed part header$/i;

/** What Fastify or the form reader found wrong with the request itself; also a sender who has gone. */
function clientError(error: unknown): UploadRefused | undefined {
  if (!(error instanceof Error)) return undefined;
  const isCut = 'code' in error && CUT.has(String(error.code));
  if (isCut || FORM_FAULT.test(error.message)) return new UploadRefused(400, 'Bad Request');
  if (!('statusCode' in error)) return undefined;
  const status = Number(error.statusCode);
  if (status === 413) return new UploadRefused(413, 'Payload Too Large', 'payload_too_large');
  return status >= 400 && status < 500 ? new UploadRefused(status, 'Bad Request') : undefined;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from './observe.ts';

/** What is known so far about the requests in progress. */
export class CallLog {
  readonly #calls = new WeakMap<FastifyRequest, Call>();

  of(request: FastifyRequest): Call {
    const known = this.#calls.get(request);
    if (known) return known;
    const call: Call = {
      requestId: request.id,
      method: request.method,
      path: request.routeOptions.url,
      address: request.ip,
    };
    this.#calls.set(request, call);
    return call;
  }

  answered(request: FastifyRequest, reply: FastifyReply): Call {
    return { ...this.of(request), status: reply.statusCode, milliseconds: reply.elapsedTime };
  }
}

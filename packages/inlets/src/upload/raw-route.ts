import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { jsonOf } from './json-body.ts';
import { placesFor, type AtOnce } from './places.ts';

/** What opens raw bytes for the pages. An `HttpProblem` that these throw becomes the response. */
export interface RawHost {
  /** Finds the organization of a ticket in the raw headers, and uses the ticket up; refuses with 401. */
  admitRaw(rawHeaders: readonly string[]): Promise<string>;
  /** Opens what is asked for. The content is read to its end, or closed. */
  openRaw(orgId: string, input: unknown): Promise<OpenedRaw>;
}

export interface OpenedRaw {
  /** The kind of the content, such as `xml` or `mail`. */
  kind: string;
  size: number | null;
  content: AsyncIterable<Buffer>;
}

const PATH = '/ingest/v1/raw';
/** Each holds up to 44 MB: a delivery of 36 MB, and a document of 8 MiB. */
const AT_ONCE: AtOnce = { organization: 2, process: 6 };
const LONGEST_MS = 900_000;

/** Sends raw bytes to the pages as they are read. Only a ticket of the pages opens it, no key. */
export function addRawRoute(server: FastifyInstance, host: RawHost): void {
  const placeOf = placesFor(AT_ONCE);
  server.post(PATH, async (request, reply) => {
    const orgId = await host.admitRaw(request.raw.rawHeaders);
    using held = new DisposableStack();
    held.use(placeOf(orgId));
    const { kind, size, content } = await host.openRaw(orgId, await jsonOf(request.raw));
    const stream = Readable.from(content, { objectMode: false });
    const kept = held.move();
    const longest = setTimeout(() => stream.destroy(), LONGEST_MS).unref();
    stream.once('close', () => {
      clearTimeout(longest);
      kept.dispose();
    });
    if (size !== null) reply.header('content-length', size);
    return await reply
      .headers({ 'content-type': 'application/octet-stream', 'x-raw-kind': kind, 'cache-control': 'no-store' })
      .send(stream);
  });
}

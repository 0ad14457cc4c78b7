import type { FastifyInstance } from 'fastify';
import { readAssets } from './assets.ts';

/** Serves the script and the style sheet. Their names change with their content, so browsers keep them for ever. */
export async function addAssets(server: FastifyInstance): Promise<void> {
  for (const [path, { type, body, gzipped }] of await readAssets()) {
    server.get(path, async (request, reply) => {
      const zips = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      if (zips) reply.header('content-encoding', 'gzip');
      return await reply
        .headers({
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
          'x-content-type-options': 'nosniff',
        })
        .send(zips ? gzipped : body);
    });
  }
}

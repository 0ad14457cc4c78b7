import { HttpProblem } from '@dmarc-ledger/vocabulary';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { helpHeaders } from './headers.ts';
import { findHelp, type HelpFile } from './help-files.ts';

const MISSING = '/help/404';

/** Serves the help to everybody: it needs no session. Only files that were found in its folder have an address. */
export async function addHelp(server: FastifyInstance): Promise<void> {
  const files = await findHelp();
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?');
    const bare = path.replace(/\/$/, '');
    if (files.size === 0) throw notBuilt();
    if (bare !== path && files.has(bare)) return await reply.redirect(bare, 301);
    const open = bare === MISSING ? undefined : files.get(path);
    if (open) return await sendFile(request, reply, await open(), path);
    const missing = files.get(MISSING);
    if (!missing) throw notBuilt();
    return await sendFile(request, reply.code(404), await missing(), path);
  };
  server.get('/help', answer);
  server.get('/help/*', answer);
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: HelpFile, path: string) {
  const { type, body, gzipped, etag } = file;
  const isAsset = path.startsWith('/help/assets/') && reply.statusCode === 200;
  void reply.headers({
    ...helpHeaders,
    'content-type': type,
    'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
  });
  if (reply.statusCode === 200 && request.headers['if-none-match']?.includes(etag)) return await reply.code(304).send();
  if (!gzipped || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return await reply.send(body);
  return await reply.header('content-encoding', 'gzip').send(gzipped);
}

function notBuilt(): HttpProblem {
  const error = 'The help has not been built: run “node packages/web/build.ts” and restart';
  return new HttpProblem('help_missing', { status: 404, error });
}

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listeningPort } from './listening-port.ts';

/** The service's answer about one address: its `data`, or the whole answer. */
type Answer =
  | { data: { [field: string]: unknown } }
  | { status: number; headers?: { [name: string]: string }; body?: string; delayMs?: number };

/** One answer to all checks, or one to those that ask for every report and one to the others. */
export type ReputationReply = Answer | { verbose: Answer; brief: Answer };

export interface SeenCheck {
  ip: string;
  key: string | undefined;
  path: string;
  parameters: { [name: string]: string };
}

/** A server on loopback that answers like AbuseIPDB, version 2. */
export interface ReputationServer extends AsyncDisposable {
  /** Base of its paths, as configured for the real one. */
  url: string;
  readonly seen: SeenCheck[];
  /** By address; `*` for all others, else a clean record. */
  readonly replies: { [ip: string]: ReputationReply };
}

const clean = { abuseConfidenceScore: 0, totalReports: 0, reports: [], isWhitelisted: false, isTor: false };

export async function reputationServer(replies: ReputationServer['replies'] = {}): Promise<ReputationServer> {
  const seen: SeenCheck[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const ip = url.searchParams.get('ipAddress') ?? '';
    const key = request.headers['key']?.toString();
    seen.push({ ip, key, path: url.pathname, parameters: Object.fromEntries(url.searchParams) });
    const given = replies[ip] ?? replies['*'] ?? { data: { ipAddress: ip, ...clean } };
    const isVerbose = url.searchParams.has('verbose');
    reply(response, 'brief' in given ? given[isVerbose ? 'verbose' : 'brief'] : given);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = listeningPort(server);
  return {
    url: `http://127.0.0.1:${port}/api/v2`,
    seen,
    replies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function reply(response: ServerResponse, given: Answer): void {
  if ('data' in given) {
    const headers = { 'content-type': 'application/json' };
    response.writeHead(200, headers).end(JSON.stringify({ data: given.data }));
    return;
  }
  const { status, headers = {}, body = '', delayMs = 0 } = given;
  setTimeout(() => response.writeHead(status, headers).end(body), delayMs);
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readCredentials } from '@dmarc-ledger/vocabulary';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { McpServers } from './make-mcp-servers.ts';

export interface RunningHttp {
  /** Where clients connect: ends with `/mcp`. */
  url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const LONGEST_BODY = 262_144;

interface HttpLimits {
  /** The most open connections: each takes memory before its key is known. */
  connections: number;
  /** For the headers of a request, and for all of it. */
  headersMs: number;
  requestMs: number;
  /** The interval of checks for late ones. */
  checkMs: number;
}

const LIMITS: HttpLimits = { connections: 200, headersMs: 10_000, requestMs: 15_000, checkMs: 5_000 };

/**
 * Serves MCP at `/mcp` by streamable HTTP, without sessions: each request brings its own key. A request from a web page
 * is refused, so that no site can use a server on the machine of its reader. (MCP 2026-07-28, transports)
 */
export async function listenHttp(
  servers: McpServers,
  at: { host: string; port: number },
  limits: Partial<HttpLimits> = {},
): Promise<RunningHttp> {
  const { connections, headersMs, requestMs, checkMs } = { ...LIMITS, ...limits };
  const handler = createMcpHandler(({ requestInfo }) => servers.make(keyOf(requestInfo)), {
    maxRequestBodySize: LONGEST_BODY,
  });
  const times = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs };
  const server = createServer(times, (request, response) => {
    answer(request, response, handler.fetch).catch(() => response.destroy());
  });
  server.maxConnections = connections;
  server.on('drop', () => server.closeIdleConnections()); // idle ones keep no other client out
  server.listen(at);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : at.port;
  return {
    url: `http://${isIPv6(at.host) ? `[${at.host}]` : at.host}:${port}${PATH}`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const refusal = refusalOf(request);
  if (refusal) return void response.writeHead(...refusal).end();
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
    ),
  );
  const hasBody = request.method === 'POST';
  const {
    status,
    headers: answered,
    body,
  } = await handle(
    new Request(`http://localhost${PATH}`, {
      method: request.method ?? 'GET',
      headers,
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
  );
  response.writeHead(status, Object.fromEntries(answered));
  if (body) await pipeline(Readable.fromWeb(body), response);
  else response.end();
}

function refusalOf(request: IncomingMessage): [status: number, headers?: { [name: string]: string }] | undefined {
  if (request.url !== PATH) return [404];
  if (request.headers.origin !== undefined) return [403];
  if (readCredentials(request.rawHeaders).kind === 'bearer') return undefined;
  return [401, { 'www-authenticate': 'Bearer realm="api"' }];
}

function keyOf(request: Request | undefined): string | undefined {
  const header = request?.headers.get('authorization');
  const credentials = readCredentials(header ? ['authorization', header] : []);
  return credentials.kind === 'bearer' ? credentials.token : undefined;
}

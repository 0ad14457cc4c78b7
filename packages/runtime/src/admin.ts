import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { RuntimeError } from './errors.ts';
import type { Metrics } from './metrics.ts';

const TOO_MUCH_LAG_SECONDS = 2;
const READY_WITHIN_MS = 2_000;
/** Operators and their tools open few connections; their requests have no body. */
const CONNECTIONS = 100;
const LIMITS = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 5_000 };
const SILENCE_MS = 20_000;

export interface AdminOptions {
  host: string;
  port: number;
  /** The resources that this process needs, each with a check of its readiness. */
  ready: () => Promise<Record<string, boolean>>;
  metrics: Metrics;
}

export interface Admin {
  port: number;
  close(): Promise<void>;
}

/** Serves `/healthz` (alive), `/readyz` (able to work) and `/metrics`, for operators and their tools. */
export async function startAdmin(options: AdminOptions): Promise<Admin> {
  const server = createServer(LIMITS, (request, response) => void answer(options, request, response));
  server.setTimeout(SILENCE_MS);
  server.maxConnections = CONNECTIONS;
  server.on('drop', () => server.closeIdleConnections());
  await listen(server, options);
  return {
    port: portOf(server),
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function answer(
  { ready, metrics }: AdminOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (request.url?.split('?')[0]) {
    case '/healthz': {
      const lag = metrics.lag.seconds();
      return sendJson(response, lag < TOO_MUCH_LAG_SECONDS ? 200 : 503, {
        eventloop_lag_seconds: Number(lag.toFixed(3)),
      });
    }
    case '/readyz': {
      const needs = await readWithin(ready);
      return sendJson(response, Object.values(needs).every(Boolean) ? 200 : 503, needs);
    }
    case '/metrics':
      return sendMetrics(response, metrics);
    default:
      return sendJson(response, 404, { error: 'not_found' });
  }
}

/** A check without an answer in time counts as failed. */
async function readWithin(ready: AdminOptions['ready']): Promise<Record<string, boolean>> {
  const late = sleep(READY_WITHIN_MS, { answered_in_time: false }, { ref: false });
  return Promise.race([ready().catch(() => ({ answered: false })), late]);
}

async function sendMetrics(response: ServerResponse, { registry }: Metrics): Promise<void> {
  try {
    const body = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(body);
  } catch {
    sendJson(response, 500, { error: 'metrics_unreadable' });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(text);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listen(server: Server, { host, port }: AdminOptions): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    if (errorCode(cause) !== 'EADDRINUSE') throw cause;
    throw new RuntimeError('address_in_use', `Port ${port} on ${host} is in use; choose another with ADMIN_PORT.`, {
      cause,
    });
  }
}

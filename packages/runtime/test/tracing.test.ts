import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openTracing, readEnv, tracingEnv } from '@dmarc-ledger/runtime';
import { afterEach, expect, it } from 'vitest';

const us = { service: 'sample', version: '1.2.3' };
let server: Server | undefined;
afterEach(() => void server?.close().closeAllConnections());

async function collector(answer: 'answers' | 'is silent'): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    bodies.push(await text(request));
    if (answer === 'answers') response.end('{}');
  };
  server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies };
}

it('traces nothing without an endpoint', async () => {
  expect(await openTracing(readEnv(tracingEnv, {}), us)).toBeUndefined();
});

it('sends finished work, at the latest when it is closed', async () => {
  const { url, bodies } = await collector('answers');
  const tracing = (await openTracing(readEnv(tracingEnv, { OTEL_EXPORTER_OTLP_ENDPOINT: url }), us))!;
  const work = { name: 'take in', beganAt: 1_000, endedAt: 3_500, attributes: { state: 'stored', code: undefined } };
  tracing.record({ ...work, isFailed: true });
  await tracing.close();
  expect(bodies).toHaveLength(1);
  const { resourceSpans } = JSON.parse(bodies[0]!);
  expect(JSON.stringify(resourceSpans[0].resource)).toContain('dmarc-ledger-sample');
  expect(resourceSpans[0].scopeSpans[0].spans).toMatchObject([
    {
      name: 'take in',
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '3500000000',
      attributes: [{ key: 'state', value: { stringValue: 'stored' } }],
      status: { code: 2 },
    },
  ]);
});

it('ends although its collector does not answer', async () => {
  const { url } = await collector('is silent');
  const tracing = (await openTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, us))!;
  tracing.record({ name: 'take in', beganAt: 0, attributes: {} });
  await expect(tracing.close()).resolves.toBeUndefined();
});

it('says that an endpoint is no URL', () => {
  expect(() => readEnv(tracingEnv, { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow('expected a URL');
});

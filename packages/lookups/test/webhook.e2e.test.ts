import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhookReceiver, type HookAnswer, type WebhookReceiver } from '@dmarc-ledger/testkit';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWebhookSecret, openDnsClient, postWebhook, type WebhookFact, type WebhookOptions } from '../src/index.ts';

const secret = newWebhookSecret();
const body = JSON.stringify({ type: 'test', title: 'für alle' });
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await webhookReceiver();
});
afterAll(() => receiver[Symbol.asyncDispose]());

async function post(path: string, options: Partial<WebhookOptions> = {}): Promise<WebhookFact> {
  const client = openDnsClient({ servers: [receiver.dns], timeoutMs: 5_000 });
  const isAllowed = (address: string) => address === '127.0.0.1';
  const url = path.startsWith('/') ? receiver.url(path) : path;
  return await postWebhook({ client, ca: receiver.ca, isAllowed, ...options }, { url, secret, id: 'id-1', body });
}

it('arrives signed, as JSON, under the id that it has at every try', async () => {
  expect(await post('/hook?for=us')).toEqual({ outcome: 'answered', status: 204, text: '', retryAfterSeconds: null });
  const { path, headers, body: arrived } = receiver.received.at(-1)!;
  expect(path).toBe('/hook?for=us');
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'dmarc-ledger',
    'webhook-id': 'id-1',
  });
  expect(headers['cookie'] ?? headers['authorization']).toBeUndefined();
  expect(arrived).toBe(body);
  expect(new Webhook(secret).verify(arrived, headers)).toEqual(JSON.parse(body));
});

describe('the receiver’s response is reported', () => {
  it.each<[string, HookAnswer, Partial<Record<'status' | 'text', unknown>>]>([
    ['a status', { status: 500, body: 'out of order' }, { status: 500, text: 'out of order' }],
    ['gone', 410, { status: 410 }],
    ['only the beginning of it', { status: 200, body: 'x'.repeat(5_000_000) }, { text: 'x'.repeat(1_024) }],
  ])('%s', async (_, answer, expected) => {
    receiver.answers['/expected'] = [answer];
    expect(await post('/expected')).toMatchObject({ outcome: 'answered', ...expected });
  });

  it('also when the rest of it never comes', async () => {
    receiver.answers['/drip'] = ['drip'];
    expect(await post('/drip', { totalMs: 2_000 })).toMatchObject({ outcome: 'answered', status: 200 });
  });

  it('a redirect, which is not followed', async () => {
    receiver.answers['/moved'] = [{ status: 302, location: receiver.url('/elsewhere') }];
    expect(await post('/moved')).toMatchObject({ status: 302 });
    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it('silence, after the whole time', async () => {
    receiver.answers['/silent'] = ['silence'];
    expect(await post('/silent', { totalMs: 1_000 })).toEqual({ outcome: 'unreachable', reason: 'timeout' });
  });
});

describe('is not sent, and no connection made,', () => {
  it.each<[string, Partial<WebhookOptions>, string, WebhookFact]>([
    ['to a name of a private address', { isAllowed: undefined }, '/x', { outcome: 'forbidden', reason: 'address' }],
    ['to a private address', { isAllowed: undefined }, 'https://127.0.0.1/', { outcome: 'forbidden', reason: 'host' }],
    ['by HTTP', {}, 'http://hooks.receiver.test/', { outcome: 'forbidden', reason: 'host' }],
    ['to an unknown name', {}, 'https://none.receiver.test/', { outcome: 'no_host' }],
  ])('%s', async (_, options, place, fact) => {
    const before = receiver.connections();
    expect(await post(place, options)).toEqual(fact);
    expect(receiver.connections()).toBe(before);
  });

  it('to a host whose certificate is of an unknown authority', async () => {
    const before = receiver.received.length;
    expect(await post('/x', { ca: undefined })).toEqual({ outcome: 'rejected', reason: 'certificate' });
    expect(receiver.received).toHaveLength(before);
  });
});

it('is sent by HTTP, to an address, where that is allowed', async () => {
  let seen = '';
  const server = createServer((request, response) => {
    seen = `${request.method} ${request.url}`;
    response.writeHead(202).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await post(`http://127.0.0.1:${port}/plain`, { isOpen: true })).toMatchObject({ status: 202 });
  expect(seen).toBe('POST /plain');
  server.close();
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultDns, type FaultDns } from '@dmarc-ledger/testkit';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { guardedFetch, openDnsClient, type GuardedFetchOptions } from '../src/index.ts';
import { rudeServer } from './hostile-mail-servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-https-'));
const host = 'mta-sts.policy.test';
const path = '/.well-known/mta-sts.txt';
const policy = 'version: STSv1\r\nmode: enforce\r\nmx: mx.policy.test\r\nmax_age: 86400\r\n';
const a = (name: string, ...addresses: string[]) => ({
  answers: addresses.map((data): Answer => ({ type: 'A', name, ttl: 60, data })),
});

let dns: FaultDns;
let server: Server;
let ca: string;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let requests = 0;

beforeAll(async () => {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30';
  const openssl = (args: string) =>
    execFileSync('openssl', `req -x509 ${key} ${args}`.split(' '), { cwd: folder, stdio: 'ignore' });
  openssl('-keyout ca.key -out ca.pem -subj /CN=authority -addext basicConstraints=critical,CA:TRUE');
  const names = `-addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:${host}`;
  openssl(`-keyout server.key -out server.pem -subj /CN=${host} -CA ca.pem -CAkey ca.key ${names}`);
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  ca = file('ca.pem');
  server = createServer({ key: file('server.key'), cert: file('server.pem') }, (request, response) => {
    requests += 1;
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  dns = await faultDns({
    [host]: ({ type }) => (type === 'A' ? a(host, '127.0.0.1') : {}),
    'other.policy.test': ({ type }) => (type === 'A' ? a('other.policy.test', '127.0.0.1') : {}),
    'mixed.policy.test': ({ type }) => (type === 'A' ? a('mixed.policy.test', '127.0.0.1', '10.0.0.1') : {}),
    'empty.policy.test': {},
    'broken.policy.test': { rcode: 2 },
  });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await dns[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function fetcher(options: Partial<GuardedFetchOptions> = {}) {
  const client = openDnsClient({ servers: [dns] });
  const { port } = server.address() as AddressInfo;
  const isAllowed = (address: string) => address === '127.0.0.1';
  return guardedFetch({ client, port, ca, isAllowed, ...options });
}
const BRIEF = { connectMs: 1_000, totalMs: 2_000 };
const serve = (status: number, headers: { [name: string]: string }, body: string) => {
  handle = (_, response) => void response.writeHead(status, headers).end(body);
};
const plain = { 'content-type': 'text/plain; charset=utf-8' };

describe('a policy is fetched', () => {
  it('from the host, asking for nothing but plain text as it is', async () => {
    let seen: IncomingMessage['headers'] = {};
    handle = (request, response) => {
      seen = request.headers;
      response.writeHead(200, plain).end(policy);
    };
    const fact = await fetcher().fetch(host, path);
    expect(fact.outcome === 'fetched' && fact.body.toString()).toBe(policy);
    expect(seen).toMatchObject({ 'user-agent': 'dmarc-ledger', 'accept-encoding': 'identity' });
    expect(seen.host).toMatch(host);
    expect(seen.cookie).toBeUndefined();
  });

  it('once for all concurrent callers', async () => {
    serve(200, plain, policy);
    const before = requests;
    const fetching = fetcher();
    await Promise.all(Array.from({ length: 20 }, () => fetching.fetch(host, path)));
    expect(requests).toBe(before + 1);
  });
});

describe('what is no policy is a fact', () => {
  it.each<[string, () => void, object]>([
    [
      'a redirect',
      () => serve(302, { location: 'https://127.0.0.1/' }, ''),
      { outcome: 'rejected', reason: 'redirect', status: 302 },
    ],
    ['not found', () => serve(404, plain, 'secret'), { outcome: 'rejected', reason: 'not_found', status: 404 }],
    ['another status', () => serve(500, plain, 'secret'), { outcome: 'rejected', reason: 'status', status: 500 }],
    ['too much', () => serve(200, plain, 'x'.repeat(70_000)), { outcome: 'rejected', reason: 'too_large' }],
    ['a reset', () => (handle = (request) => request.socket.destroy()), { outcome: 'unreachable', reason: 'reset' }],
  ])('%s', async (_, prepare, expected) => {
    prepare();
    expect(await fetcher().fetch(host, path)).toEqual(expected);
  });

  it('silence', async () => {
    handle = () => {};
    expect(await fetcher(BRIEF).fetch(host, path)).toEqual({ outcome: 'unreachable', reason: 'timeout' });
  });

  it('a body that drips ends with the whole time', async () => {
    handle = (_, response) => {
      response.writeHead(200, plain);
      const drip = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(drip));
    };
    const begin = performance.now();
    expect(await fetcher(BRIEF).fetch(host, path)).toEqual({ outcome: 'unreachable', reason: 'timeout' });
    expect(performance.now() - begin).toBeLessThan(6_000);
  });

  it('a certificate for another name, or of an unknown authority', async () => {
    serve(200, plain, policy);
    const rejected = { outcome: 'rejected', reason: 'certificate' };
    expect(await fetcher().fetch('other.policy.test', path)).toEqual(rejected);
    expect(await fetcher({ ca: undefined }).fetch(host, path)).toEqual(rejected);
  });

  it('a closed port', async () => {
    expect(await fetcher({ port: 9 }).fetch(host, path)).toEqual({ outcome: 'unreachable', reason: 'refused' });
  });
});

it('hosts of one domain that never answer leave turns to others', async () => {
  const { port } = server.address() as AddressInfo;
  await using silent = await rudeServer(() => {}, { address: '127.0.0.9', port });
  const isAllowed = (address: string) => address.startsWith('127.0.0.');
  const fetching = fetcher({ isAllowed, connectMs: 600_000, totalMs: 600_000 });
  for (let i = 0; i < 30; i += 1) {
    const name = `mta-sts.${i}.stranger.test`;
    dns.scenario[name] = ({ type }) => (type === 'A' ? a(name, '127.0.0.9') : {});
    void fetching.fetch(name, path);
  }
  await vi.waitFor(() => expect(silent.open()).toBe(5), 10_000);
  serve(200, plain, policy);
  expect(await fetching.fetch(host, path)).toMatchObject({ outcome: 'fetched' });
  expect(silent.open()).toBe(5);
});

describe('what is not to be connected to is not', () => {
  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    'localhost',
    '[::1]',
    'a b.test',
    `${host}:1`,
    `user@${host}`,
    `${host}/x`,
    'MTA-STS.policy.test',
    '',
  ])('%j', async (text) => {
    expect(await fetcher().fetch(text, path)).toEqual({ outcome: 'forbidden', reason: 'host' });
  });

  it('a host with one address that is not allowed', async () => {
    expect(await fetcher().fetch('mixed.policy.test', path)).toEqual({ outcome: 'forbidden', reason: 'address' });
  });

  it('loopback, unless it is allowed', async () => {
    const before = requests;
    expect(await fetcher({ isAllowed: undefined }).fetch(host, path)).toEqual({
      outcome: 'forbidden',
      reason: 'address',
    });
    expect(requests).toBe(before);
  });

  it.each([
    ['empty.policy.test', { outcome: 'no_host' }],
    ['none.policy.test', { outcome: 'no_host' }],
    ['broken.policy.test', { outcome: 'unreachable', reason: 'dns' }],
  ])('%s', async (name, expected) => expect(await fetcher().fetch(name, path)).toEqual(expected));
});

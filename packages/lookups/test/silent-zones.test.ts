import { faultDns, type DnsScenario, type FaultDns } from '@dmarc-ledger/testkit';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAuthorities, openDnsClient, type DnsClient } from '../src/index.ts';

const HONEST = '127.0.0.2';
const SILENT = Array.from({ length: 8 }, (_, i) => `127.0.0.${i + 3}`);
const QUESTIONS = 40;
/** Longer than any test: what waits for a silent server is not answered at all. */
const NEVER = 600_000;

const servers: FaultDns[] = [];
/** The resolver of the installation. */
let resolver: FaultDns;
let port: number;

beforeAll(async () => {
  const text = (name: string): Answer => ({ type: 'TXT', name, ttl: 60, data: 'v=DMARC1; p=none' });
  const honest = { '*': ({ name }: { name: string }) => ({ answers: [text(name)] }) };
  servers.push(await faultDns(honest, { address: HONEST }));
  port = servers[0]!.port;
  for (const address of SILENT) servers.push(await faultDns({ '*': { drop: true } }, { address, port }));
  resolver = await faultDns(resolverOf());
  servers.push(resolver);
});
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
});

/** `honest.test` is on one server, all other zones on four with two addresses each. */
function resolverOf(): DnsScenario {
  const answer = ({ name, type }: { name: string; type: string }) => {
    const labels = name.split('.');
    if (name.endsWith('silence.test') || name.endsWith('2.0.192.in-addr.arpa')) return { drop: true };
    if (labels.at(0) === 'honest-ns') return { answers: type === 'A' ? [a(name, HONEST)] : [] };
    const at = /^ns(\d)$/.exec(labels[0] ?? '')?.[1];
    if (at !== undefined) {
      const addresses = SILENT.slice(Number(at) * 2, Number(at) * 2 + 2);
      return { answers: type === 'A' ? addresses.map((address) => a(name, address)) : [] };
    }
    const isZone = labels.length === 2 || /^delegated\d+$/.test(labels[0] ?? '');
    if (type !== 'NS' || !isZone) return { answers: [] };
    const hosts = labels[0] === 'honest' ? ['honest-ns.test'] : [0, 1, 2, 3].map((i) => `ns${i}.${name}`);
    return { answers: hosts.map((data): Answer => ({ type: 'NS', name, ttl: 60, data })) };
  };
  return { '*': answer };
}

function a(name: string, data: string): Answer {
  return { type: 'A', name, ttl: 60, data };
}

const isAllowed = () => true;
const open = (timeoutMs = NEVER) =>
  openDnsClient({
    servers: [resolver],
    timeoutMs,
    tries: 1,
    isAllowedServer: isAllowed,
    perDirectServer: { inFlight: 1_000, perSecond: Infinity, waiting: 1_000 },
  });
const ask = (client: DnsClient, name: string) => askAuthorities({ client, port, isAllowed }, name, 'TXT');

/** Asks the zones of a stranger, and returns when none of their questions is sent any more. */
async function occupy(client: DnsClient, zones: readonly string[]): Promise<void> {
  for (const zone of zones) for (let i = 0; i < QUESTIONS; i += 1) void ask(client, `x${i}.${zone}`);
  for (let seen = -1; seen !== asked();) {
    seen = asked();
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
}

function asked(): number {
  return servers.reduce((sum, { seen }) => sum + seen.length, 0);
}

const zonesOf = (count: number) => Array.from({ length: count }, (_, i) => `stranger${i}.test`);

describe('name servers that never answer', () => {
  it('leave turns to other zones', async () => {
    const client = open();
    await occupy(client, zonesOf(4));
    expect(await ask(client, '_dmarc.honest.test')).toMatchObject({ outcome: 'found' });
  });

  it('leave turns to other zones, under however many names of one domain they are', async () => {
    const client = open();
    await occupy(
      client,
      Array.from({ length: 20 }, (_, i) => `delegated${i}.stranger.test`),
    );
    expect(await ask(client, '_dmarc.honest.test')).toMatchObject({ outcome: 'found' });
  });

  it('leave turns to the resolver, however many zones they have', async () => {
    const client = open();
    await occupy(client, zonesOf(20));
    expect(await client.ask('mail.honest.test', 'A')).toMatchObject({ outcome: 'nodata' });
  });

  it('leave turns to a zone that answers, however many zones are silent', async () => {
    const client = open(1_000);
    for (const zone of zonesOf(80)) for (let i = 0; i < 8; i += 1) void ask(client, `x${i}.${zone}`);
    expect(await ask(client, '_dmarc.honest.test')).toMatchObject({ outcome: 'found' }); // each was silent once by then
    const before = asked();
    for (let i = 0; i < 10; i += 1) expect(await ask(client, `x${i}.honest.test`)).toMatchObject({ outcome: 'found' });
    expect(asked() - before).toBeLessThan(200); // behind a question of each zone, ten would be the last of 800
  });

  it('leave turns to other names where the resolver waits for them', async () => {
    const client = open();
    for (let i = 0; i < 100; i += 1) void client.ask(`x${i}.silence.test`, 'A');
    for (let i = 0; i < 100; i += 1) void client.ask(`${i}.2.0.192.in-addr.arpa`, 'PTR');
    expect(await client.ask('mail.honest.test', 'A')).toMatchObject({ outcome: 'nodata' });
  });
});

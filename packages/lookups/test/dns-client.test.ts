import type { Socket } from 'node:net';
import { faultDns, type DnsBehaviour, type DnsScenario, type FaultDns } from '@dmarc-ledger/testkit';
import type { Answer } from 'dns-packet';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { joinText, openDnsClient, type DnsClientOptions } from '../src/index.ts';

const open: FaultDns[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server[Symbol.asyncDispose]();
});

type Expected = { outcome?: string; [fact: string]: unknown };
/** A short timeout for questions that end in silence. */
const BRIEF = { timeoutMs: 300 };
const patienceFor = ({ outcome }: Expected) => (outcome === 'timeout' ? BRIEF : {});

async function serve(scenario: DnsScenario, options: Partial<DnsClientOptions> = {}) {
  const server = await faultDns(scenario);
  open.push(server);
  const { address, port } = server;
  const servers = [{ address, port }];
  return { server, servers, client: openDnsClient({ servers, timeoutMs: 5_000, ...options }) };
}

const a = (name: string, data = '192.0.2.1', ttl = 300): Answer => ({ type: 'A', name, ttl, data });
const alias = (name: string, data: string, ttl = 300): Answer => ({ type: 'CNAME', name, ttl, data });
const soa = (minimum = 120): Answer => ({
  type: 'SOA',
  name: 'example',
  ttl: 3_600,
  data: { mname: 'ns.example', rname: 'root.example', serial: 1, refresh: 1, retry: 1, expire: 1, minimum },
});
const name = 'host.example';

describe('each end of a question is a fact of its own', () => {
  it.each<[string, DnsScenario[string], Expected]>([
    ['records', { answers: [a(name), a(name, '192.0.2.2')] }, { outcome: 'answer', data: ['192.0.2.1', '192.0.2.2'] }],
    ['no records', { authorities: [soa()] }, { outcome: 'nodata', ttl: 120 }],
    ['no records and no SOA', { authorities: [] }, { outcome: 'nodata', ttl: undefined, zone: undefined }],
    ['no such name', { rcode: 3, authorities: [soa(30)] }, { outcome: 'nxdomain', ttl: 30 }],
    [
      'a denial by the SOA record of another zone',
      { rcode: 3, authorities: [{ ...soa(), name: 'le' } as Answer, { ...soa(), name: 'xhost.example' } as Answer] },
      { outcome: 'malformed' },
    ],
    [
      'a denial by the zone above',
      { rcode: 3, authorities: [{ ...soa(), name: '.' } as Answer] },
      { outcome: 'nxdomain', zone: '' },
    ],
    ['SERVFAIL', { rcode: 2 }, { outcome: 'servfail', detail: 'SERVFAIL' }],
    ['REFUSED', { rcode: 5 }, { outcome: 'refused' }],
    ['FORMERR', { rcode: 1 }, { outcome: 'formerr' }],
    ['NOTIMP', { rcode: 4 }, { outcome: 'servfail', detail: 'NOTIMP' }],
    ['silence', { drop: true }, { outcome: 'timeout' }],
    ['an answer that comes too late', { delayMs: 900, answers: [a(name)] }, { outcome: 'timeout' }],
    ['records of another name', { answers: [a('other.example')] }, { outcome: 'nodata' }],
    ['records of another type', { answers: [{ type: 'PTR', name, ttl: 1, data: 'x.example' }] }, { outcome: 'nodata' }],
    [
      'other servers',
      { authoritative: false, authorities: [{ type: 'NS', name: 'example', ttl: 1, data: 'ns.example' }] },
      { outcome: 'referral' },
    ],
    [
      'an answer among forged ones',
      { forged: ['id', 'question', 'query'], answers: [a(name)] },
      { outcome: 'answer', data: ['192.0.2.1'] },
    ],
    ['nothing but forged ones', { forged: ['id', 'question', 'query'], drop: true }, { outcome: 'timeout' }],
    ['an alias', { answers: [alias(name, 'B.example', 60), a('b.example')] }, { aliases: ['b.example'], ttl: 60 }],
    [
      'an alias to nothing',
      { answers: [alias(name, 'b.example')], rcode: 3, authorities: [soa()] },
      { outcome: 'nxdomain', aliases: ['b.example'] },
    ],
    ['an alias to itself', { answers: [alias(name, name)] }, { outcome: 'alias_limit' }],
    [
      'aliases in a circle',
      { answers: [alias(name, 'b.example'), alias('b.example', 'c.example'), alias('c.example', 'b.example')] },
      { outcome: 'alias_limit' },
    ],
  ])('%s', async (_, behaviour, expected) => {
    const { client } = await serve({ [name]: behaviour }, patienceFor(expected));
    expect(await client.ask(name, 'A')).toMatchObject(expected);
  });

  it('a closed port is no way to the server, and no silence', async () => {
    const { server, servers } = await serve({});
    await open.pop()![Symbol.asyncDispose]();
    const begin = performance.now();
    const client = openDnsClient({ servers, timeoutMs: 20_000 });
    expect(await client.ask(name, 'A')).toMatchObject({ outcome: 'network', server: `127.0.0.1:${server.port}` });
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('without any resolver nothing is asked', async () => {
    expect(await openDnsClient({ servers: [] }).ask(name, 'A')).toMatchObject({ outcome: 'network' });
  });

  it.each([
    '',
    '.',
    'a..b',
    `${'x'.repeat(64)}.example`,
    `${'abc.'.repeat(64)}example`,
    'a b.example',
    'a\0b.example',
    'bücher.example',
  ])('the name %j is not asked for', async (bad) => {
    const { client, server } = await serve({ '*': { answers: [a('b')] } });
    expect(await client.ask(bad, 'A')).toMatchObject({ outcome: 'invalid_name' });
    expect(server.seen).toEqual([]);
  });
});

describe('what an answer contains besides its records', () => {
  it('shows AA, AD, the authority section and the server', async () => {
    const { client, server } = await serve({
      [name]: { authoritative: false, authenticated: true, authorities: [soa()] },
    });
    expect(await client.ask(name, 'A')).toMatchObject({
      authoritative: false,
      authenticated: true,
      authority: [{ type: 'SOA', data: { mname: 'ns.example', minimum: 120 } }],
      server: `127.0.0.1:${server.port}`,
    });
  });

  it('keeps texts as bytes, string by string', async () => {
    const parts = [Buffer.from('v=spf1 '), Buffer.from([0xff, 0x00, 0x2d])];
    const { client } = await serve({ [name]: { answers: [{ type: 'TXT', name, ttl: 60, data: parts }] } });
    const fact = await client.ask(name, 'TXT');
    expect(fact.outcome === 'answer' && fact.data.map((strings) => strings.map((part) => [...part]))).toEqual([
      [[...parts[0]!], [0xff, 0, 0x2d]],
    ]);
    expect(joinText([Buffer.from('v=spf1 '), Buffer.from('é-all')])).toBe('v=spf1 é-all');
  });

  it('holds no byte in memory but those of its texts', async () => {
    const padding: Answer = { type: 'TXT', name: 'other.example', ttl: 1, data: 'x'.repeat(250) };
    const tlsa: Answer = {
      type: 'TLSA',
      name,
      ttl: 60,
      data: { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.alloc(32) },
    };
    const text: Answer = { type: 'TXT', name, ttl: 60, data: ['v=spf1', ' -all'] };
    const { client } = await serve({ [name]: { answers: [text, tlsa, padding, padding] } });
    const texts = await client.ask(name, 'TXT');
    const certificates = await client.ask(name, 'TLSA');
    const bytes = [
      ...(texts.outcome === 'answer' ? texts.data.flat() : []),
      ...(certificates.outcome === 'answer' ? certificates.data.map(({ certificate }) => certificate) : []),
    ];
    expect(bytes.map(({ length }) => length)).toEqual([6, 5, 32]);
    expect(bytes.map(({ buffer }) => buffer.byteLength)).toEqual([6, 5, 32]);
  });

  it('reads every type it asks for', async () => {
    const certificate = Buffer.from([1, 2, 3]);
    const answers: Answer[] = [
      { type: 'AAAA', name, ttl: 60, data: '2001:db8:0:0::1' },
      { type: 'MX', name, ttl: 60, data: { preference: 10, exchange: 'MX.Example' } },
      { type: 'NS', name, ttl: 60, data: 'NS.Example' },
      { type: 'PTR', name, ttl: 60, data: 'Host.Example' },
      { type: 'TLSA', name, ttl: 60, data: { usage: 3, selector: 1, matchingType: 1, certificate } },
    ];
    const { client } = await serve({ [name]: { answers } });
    expect(await client.ask(name, 'AAAA')).toMatchObject({ data: ['2001:db8::1'] });
    expect(await client.ask(name, 'MX')).toMatchObject({ data: [{ preference: 10, exchange: 'mx.example' }] });
    expect(await client.ask(name, 'NS')).toMatchObject({ data: ['ns.example'] });
    expect(await client.ask(name, 'PTR')).toMatchObject({ data: ['host.example'] });
    expect(await client.ask(name, 'TLSA')).toMatchObject({ data: [{ usage: 3, selector: 1, matchingType: 1 }] });
  });

  it('asks for recursion, with EDNS, and again without where the server does not know it', async () => {
    const old = ({ edns }: { edns: boolean }) => (edns ? { rcode: 1 } : { answers: [a(name)] });
    const { client, server } = await serve({ [name]: old });
    expect(await client.ask(name, 'A')).toMatchObject({ outcome: 'answer' });
    expect(server.seen.map(({ edns, recursion }) => [edns, recursion])).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  it('knows a server that cannot even repeat the question it did not understand', async () => {
    const mute = (query: Buffer) => Buffer.concat([query.subarray(0, 2), Buffer.from('81810000000000000000', 'hex')]);
    const old = ({ edns }: { edns: boolean }) => (edns ? { raw: mute } : { answers: [a(name)] });
    const { client } = await serve({ [name]: old });
    expect(await client.ask(name, 'A')).toMatchObject({ outcome: 'answer' });
  });

  it('takes random letter case back only as it was sent', async () => {
    const { client } = await serve({ [name]: { answers: [a(name)] } }, { mixCase: true });
    expect(await client.ask(name, 'A')).toMatchObject({ outcome: 'answer' });
    const lower = (query: Buffer) => {
      const bytes = Buffer.from(query);
      bytes.writeUInt16BE(0x8180, 2);
      for (let at = 12; at < bytes.length; at += 1) if (bytes[at]! >= 0x41 && bytes[at]! <= 0x5a) bytes[at]! += 0x20;
      return bytes;
    };
    const long = 'abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvwxyz.example';
    const strict = await serve({ [long]: { raw: lower } }, { ...BRIEF, mixCase: true });
    expect(await strict.client.ask(long, 'A')).toMatchObject({ outcome: 'timeout' });
  });
});

describe('over TCP', () => {
  const many = Array.from({ length: 200 }, (_, i) => a(name, `192.0.2.${i}`));
  const cut = { truncated: true, answers: many };
  const slowly = (socket: Socket, answer: Buffer) => {
    for (const byte of answer) socket.write(Buffer.of(byte));
  };
  const stops = (socket: Socket, answer: Buffer) => socket.write(answer.subarray(0, answer.length / 2));

  it('the answer that was cut is fetched whole', async () => {
    const { client, server } = await serve({ [name]: { truncated: true, answers: many } });
    const fact = await client.ask(name, 'A');
    expect(fact.outcome === 'answer' && fact.data).toHaveLength(200);
    expect(server.seen.map(({ tcp }) => tcp)).toEqual([false, true]);
  });

  it.each<[string, DnsScenario[string], Expected]>([
    ['a connection closed without a word', { truncated: true, closed: true }, { outcome: 'network' }],
    ['a connection without an answer', ({ tcp }) => ({ truncated: true, drop: tcp }), { outcome: 'timeout' }],
    [
      'more bytes than any answer has',
      ({ tcp }) => (tcp ? { raw: () => Buffer.alloc(40_000) } : { truncated: true }),
      { outcome: 'malformed', detail: 'an answer of 40000 bytes' },
    ],
    [
      'an answer to another question',
      ({ tcp }) => (tcp ? { forged: ['question'] } : { truncated: true }),
      { outcome: 'malformed' },
    ],
    ['a connection that is reset', { ...cut, stream: (socket) => socket.resetAndDestroy() }, { outcome: 'network' }],
    [
      'half of an answer, and the end',
      { ...cut, stream: (socket, answer) => socket.end(answer.subarray(0, answer.length / 2)) },
      { outcome: 'network' },
    ],
    ['half of an answer, and silence', { ...cut, stream: stops }, { outcome: 'timeout' }],
    ['an answer in pieces of one byte', { ...cut, stream: slowly }, { outcome: 'answer' }],
    [
      'an answer that comes twice',
      { ...cut, stream: (socket, answer) => socket.end(Buffer.concat([answer, answer])) },
      { outcome: 'answer' },
    ],
    ['an answer of no bytes', { ...cut, stream: (socket) => socket.write(Buffer.alloc(2)) }, { outcome: 'malformed' }],
    [
      'bytes without an end',
      { ...cut, stream: (socket) => socket.write(Buffer.alloc(0xffff, 0x15)) },
      { outcome: 'malformed' },
    ],
    [
      'an answer that is cut there too',
      { ...cut, stream: (socket, answer) => socket.end(answer.fill(answer.readUInt8(4) | 2, 4, 5)) },
      { outcome: 'malformed' },
    ],
  ])('%s', async (_, behaviour, expected) => {
    const { client } = await serve({ [name]: behaviour }, { ...patienceFor(expected), tries: 1 });
    expect(await client.ask(name, 'A')).toMatchObject(expected);
  });
});

describe('a server that refuses TCP, or is silent over it', () => {
  const small = { answers: [a(name)] };

  it.each<[string, boolean, DnsBehaviour]>([
    ['refuses', true, { truncated: true }],
    ['closes', false, { truncated: true, closed: true }],
    ['never answers', false, { truncated: true, stream: () => {} }],
  ])('%s: is asked for what fits into UDP all the same', async (_, isUdpOnly, behaviour) => {
    let nowMs = 0;
    const server = await faultDns({ '*': behaviour, [name]: small }, { isUdpOnly });
    open.push(server);
    const client = openDnsClient({ servers: [server], timeoutMs: 1_000, tries: 1, now: () => nowMs });
    await Promise.all(Array.from({ length: 20 }, (_unused, i) => client.ask(`${i}.example`, 'A')));
    nowMs = 5_000;
    const asked = [...Array.from({ length: 10 }, (_unused, i) => `x${i}.example`), name];
    const facts = await Promise.all(asked.map((each) => client.ask(each, 'A')));
    expect(facts.at(-1)).toMatchObject({ outcome: 'answer' });
    expect(facts.filter(({ outcome }) => outcome === 'answer')).toHaveLength(1);
    const connections = server.seen.filter(({ tcp }) => tcp).length;
    expect(connections).toBe(isUdpOnly ? 0 : 21); // one probe a second
    nowMs = 6_000;
    server.scenario['*'] = { truncated: true, answers: [a('late.example')] };
    const outcome = isUdpOnly ? 'network' : 'answer';
    expect(await client.ask('late.example', 'A')).toMatchObject({ outcome });
  });
});

describe('tries', () => {
  it('end with the first answer', async () => {
    let asked = 0;
    const scenario = { [name]: () => ((asked += 1) === 1 ? { drop: true } : { answers: [a(name)] }) };
    const { client } = await serve(scenario, { timeoutMs: 2_000 });
    expect(await client.ask(name, 'A')).toMatchObject({ outcome: 'answer' });
    expect(asked).toBe(2);
  });

  it('go on with the next server, also when the first one only says that it cannot', async () => {
    const bad = await serve({ '*': { rcode: 2 } });
    const good = await serve({ [name]: { answers: [a(name)] } });
    const client = openDnsClient({ servers: [...bad.servers, ...good.servers] });
    expect(await client.ask(name, 'A')).toMatchObject({ outcome: 'answer' });
    expect(bad.server.seen).toHaveLength(1);
  });

  it('are not spent on a server that says no', async () => {
    const { client, server } = await serve({ '*': { rcode: 5 } }, { tries: 5 });
    await client.ask(name, 'A');
    expect(server.seen).toHaveLength(1);
  });

  it('follow an alias that the server leaves open', async () => {
    const scenario = {
      [name]: { answers: [alias(name, 'b.example', 100)] },
      'b.example': { answers: [alias('b.example', 'c.example')] },
      'c.example': { answers: [a('c.example')] },
    };
    const { client } = await serve(scenario);
    expect(await client.ask(name, 'A')).toMatchObject({
      outcome: 'answer',
      aliases: ['b.example', 'c.example'],
      ttl: 100,
    });
  });

  it.each([
    [8, 'answer'],
    [9, 'alias_limit'],
  ])('follow %i aliases: %s', async (length, outcome) => {
    const scenario: DnsScenario = {};
    for (let i = 0; i < length; i += 1)
      scenario[`${i}.example`] = { answers: [alias(`${i}.example`, `${i + 1}.example`)] };
    scenario[`${length}.example`] = { answers: [a(`${length}.example`)] };
    const { client } = await serve(scenario);
    expect(await client.ask('0.example', 'A')).toMatchObject({ outcome });
  });

  it('do not follow aliases for ever', async () => {
    const circle = {
      'a.example': { answers: [alias('a.example', 'b.example')] },
      'b.example': { answers: [alias('b.example', 'a.example')] },
    };
    const { client, server } = await serve(circle);
    expect(await client.ask('a.example', 'A')).toMatchObject({ outcome: 'alias_limit' });
    expect(server.seen.length).toBeLessThanOrEqual(4);
  });
});

describe('a question is asked once', () => {
  it('by all concurrent callers, and cached for later ones', async () => {
    const { client, server } = await serve({ [name]: { delayMs: 20, answers: [a(name)] } });
    await Promise.all(Array.from({ length: 50 }, () => client.ask('HOST.example.', 'A')));
    await client.ask(name, 'A');
    expect(server.seen).toHaveLength(1);
    await client.ask(name, 'A', { fresh: true });
    await client.ask(name, 'AAAA');
    expect(server.seen).toHaveLength(3);
  });

  it('and asked again when what was kept is too old', async () => {
    let nowMs = 0;
    const { client, server } = await serve({ [name]: { answers: [a(name, '192.0.2.1', 5)] } }, { now: () => nowMs });
    await client.ask(name, 'A');
    nowMs = 59_000;
    await client.ask(name, 'A');
    expect(server.seen).toHaveLength(1);
    nowMs = 61_000;
    await client.ask(name, 'A');
    expect(server.seen).toHaveLength(2);
  });

  it('and a caller that leaves does not end it for the others', async () => {
    const { client } = await serve({ [name]: { delayMs: 50, answers: [a(name)] } });
    const leave = new AbortController();
    const first = client.ask(name, 'A', { signal: leave.signal });
    const second = client.ask(name, 'A');
    leave.abort();
    expect(await first).toMatchObject({ outcome: 'aborted' });
    expect(await second).toMatchObject({ outcome: 'answer' });
  });

  it('and not for a caller that has left before', async () => {
    const { client, server } = await serve({ [name]: { answers: [a(name)] } });
    expect(await client.ask(name, 'A', { signal: AbortSignal.abort() })).toMatchObject({ outcome: 'aborted' });
    await client.ask('other.example', 'A');
    expect(server.seen.map((question) => question.name)).toEqual(['other.example']);
  });
});

describe('limits', () => {
  it('hold questions back beyond so many in flight, and turn away those beyond the queue', async () => {
    let now = 0;
    let most = 0;
    const { client, server } = await serve({}, { limits: { inFlight: 3, waiting: 5 } });
    server.scenario['*'] = () => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => (now -= 1), 18);
      return { delayMs: 20, answers: [] };
    };
    const facts = await Promise.all(Array.from({ length: 12 }, (_, i) => client.ask(`${i}.example`, 'A')));
    expect(most).toBeLessThanOrEqual(3);
    expect(facts.filter(({ outcome }) => outcome === 'overloaded')).toHaveLength(4);
    expect(server.seen).toHaveLength(8);
  });

  it('keep a server asked directly to so many in a second', async () => {
    const { client, servers } = await serve({}, { isAllowedServer: () => true, perDirectServer: { perSecond: 20 } });
    const begin = performance.now();
    await Promise.all(Array.from({ length: 30 }, (_, i) => client.askDirectly(servers[0]!, `${i}.example`, 'A')));
    const ms = performance.now() - begin;
    expect(ms).toBeGreaterThan(400);
    expect(ms).toBeLessThan(5_000);
  });

  it('make a silent server cost nothing but a probe now and then', async () => {
    let nowMs = 0;
    const options = { timeoutMs: 2_000, tries: 1, now: () => nowMs };
    const { client, server } = await serve({ '*': { drop: true } }, options);
    await Promise.all(Array.from({ length: 20 }, (_, i) => client.ask(`${i}.example`, 'A')));
    nowMs = 5_000;
    await Promise.all(Array.from({ length: 500 }, (_, i) => client.ask(`x${i}.example`, 'A')));
    await vi.waitFor(() => expect(server.seen).toHaveLength(21), 10_000);
    nowMs += 1_000;
    server.scenario['*'] = { answers: [] };
    await Promise.all([client.ask('y1.example', 'A'), client.ask('y2.example', 'A')]);
    expect(await client.ask('y3.example', 'A')).toMatchObject({ outcome: 'nodata' });
  });
});

describe('a server asked directly', () => {
  it('is asked without recursion, and its own aliases are its answer', async () => {
    const options = { isAllowedServer: (ip: string) => ip === '127.0.0.1' };
    const { client, server, servers } = await serve({ [name]: { answers: [alias(name, 'else.test')] } }, options);
    expect(await client.askDirectly(servers[0]!, name, 'TXT')).toMatchObject({
      outcome: 'alias',
      target: 'else.test',
      authoritative: true,
    });
    expect(server.seen).toMatchObject([{ recursion: false }]);
  });

  it('has to be allowed', async () => {
    const { client, servers, server } = await serve({});
    expect(await client.askDirectly(servers[0]!, name, 'A')).toMatchObject({ outcome: 'forbidden_server' });
    expect(server.seen).toEqual([]);
  });
});

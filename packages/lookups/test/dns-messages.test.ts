import { faultDns, type FaultDns } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAuthorities, openDnsClient, type RecordType } from '../src/index.ts';
import { pointer, QUESTION, record, response, TYPE, wireName } from './wire-bytes.ts';

let server: FaultDns;
beforeAll(async () => {
  server = await faultDns({});
});
afterAll(() => server[Symbol.asyncDispose]());

async function read(type: RecordType, raw: (query: Buffer) => Buffer, timeoutMs = 5_000) {
  server.scenario['host.example'] = { raw };
  const servers = [{ address: server.address, port: server.port }];
  return openDnsClient({ servers, timeoutMs, tries: 1 }).ask('host.example', type);
}

const address = Buffer.from([192, 0, 2, 1]);
const good = (query: Buffer, ...more: Buffer[]) => response(query, [record(QUESTION, TYPE.A, address), ...more]);

describe('names that would read as other names', () => {
  it.each([
    ['a dot inside a label', wireName('mail.google.com')],
    ['a dot inside a label above a real domain', wireName('mail.bank', 'example')],
    ['a zero byte', wireName('mail\0', 'example', 'com')],
    ['a space', wireName('mail x', 'example')],
    ['bytes beyond ASCII', wireName(Buffer.from('mail。google', 'utf8'), 'com')],
  ])('are dropped: %s', async (_, target) => {
    const fact = await read('PTR', (query) => response(query, [record(QUESTION, TYPE.PTR, target)]));
    expect(fact).toMatchObject({ outcome: 'nodata', dropped: 1 });
  });

  it('are dropped alone: the good ones beside them stay', async () => {
    const fact = await read('PTR', (query) =>
      response(query, [
        record(QUESTION, TYPE.PTR, wireName('mail.google', 'com')),
        record(QUESTION, TYPE.PTR, wireName('Mail', 'Example')),
      ]),
    );
    expect(fact).toMatchObject({ outcome: 'answer', data: ['mail.example'], dropped: 1 });
  });

  it('are dropped in the place of the owner', async () => {
    const fact = await read('A', (query) => response(query, [record(wireName('host.example'), TYPE.A, address)]));
    expect(fact).toMatchObject({ outcome: 'nodata', dropped: 1 });
  });
});

it('an alias of a name that would read as another one is no absence, whatever comes with it', async () => {
  const soa = record(
    wireName('host', 'example'),
    TYPE.SOA,
    Buffer.concat([wireName('a'), wireName('b'), Buffer.alloc(20)]),
  );
  const client = openDnsClient({
    servers: [{ address: server.address, port: server.port }],
    isAllowedServer: () => true,
  });
  const search = { client, port: server.port, isAllowed: () => true };
  const said = async (...answers: Buffer[]) => {
    server.scenario['host.example'] = ({ type }) => {
      if (type !== 'TXT') return { answers: [{ type: 'NS', name: 'host.example', ttl: 60, data: 'ns.example' }] };
      return { raw: (query) => response(query, [...answers, soa], { answers: answers.length, authorities: 1 }) };
    };
    server.scenario['ns.example'] = { answers: [{ type: 'A', name: 'ns.example', ttl: 60, data: server.address }] };
    return (await askAuthorities(search, 'host.example', 'TXT')).outcome;
  };
  expect(await said()).toBe('absent');
  expect(await said(record(QUESTION, TYPE.CNAME, wireName('a b', 'example')))).toBe('unconfirmed');
});

describe('a malformed message is a fact, and breaks nothing', () => {
  it.each<[string, RecordType, (query: Buffer) => Buffer]>([
    ['a pointer to itself', 'PTR', (query) => response(query, [record(QUESTION, TYPE.PTR, pointer(42))])],
    ['a pointer beyond the end', 'PTR', (query) => response(query, [record(QUESTION, TYPE.PTR, pointer(9_000))])],
    [
      'a label of a reserved kind',
      'PTR',
      (query) => response(query, [record(QUESTION, TYPE.PTR, Buffer.from([0x80, 0]))]),
    ],
    [
      'a name of more than 255 bytes',
      'PTR',
      (query) =>
        response(query, [record(QUESTION, TYPE.PTR, wireName(...Array.from({ length: 5 }, () => 'x'.repeat(60))))]),
    ],
    ['an address of 3 bytes', 'A', (query) => response(query, [record(QUESTION, TYPE.A, address.subarray(1))])],
    ['an address of 5 bytes', 'A', (query) => response(query, [record(QUESTION, TYPE.A, Buffer.alloc(5))])],
    ['an IPv6 address of 4 bytes', 'AAAA', (query) => response(query, [record(QUESTION, TYPE.AAAA, address)])],
    ['data beyond the end', 'A', (query) => response(query, [record(QUESTION, TYPE.A, address, 400)])],
    ['a text beyond its record', 'TXT', (query) => response(query, [record(QUESTION, TYPE.TXT, Buffer.from([9, 65]))])],
    [
      'fewer records than it says',
      'A',
      (query) => response(query, [record(QUESTION, TYPE.A, address)], { answers: 2 }),
    ],
    ['more records than any answer has', 'A', (query) => response(query, [], { answers: 60_000 })],
    ['a header alone', 'A', (query) => Buffer.concat([query.subarray(0, 2), Buffer.from('8180000100000000', 'hex')])],
    ['two bytes', 'A', (query) => query.subarray(0, 2)],
  ])('%s', async (_, type, raw) => {
    expect(await read(type, raw)).toMatchObject({ outcome: 'malformed' });
  });

  it('a record of a type we never ask for is passed by', async () => {
    const fact = await read('A', (query) => good(query, record(QUESTION, 65_280, Buffer.from('anything'))));
    expect(fact).toMatchObject({ outcome: 'answer', data: ['192.0.2.1'] });
  });

  it('random changes never throw', async () => {
    const oneRound = async () => {
      const change = (query: Buffer) => {
        const bytes = good(query, record(QUESTION, TYPE.PTR, wireName('a', 'example')));
        for (let i = 0; i < 3; i += 1)
          bytes[12 + Math.floor(Math.random() * (bytes.length - 12))] = Math.random() * 256;
        return bytes;
      };
      const fact = await read('A', change, 200);
      // a changed record may be an alias, whose target does not exist
      expect(fact.outcome).toMatch(/^(answer|nodata|nxdomain|referral|malformed|timeout|alias_limit|servfail)$/);
    };
    const tenRounds = async () => {
      for (let round = 0; round < 10; round += 1) await oneRound();
    };
    await Promise.all(Array.from({ length: 15 }, tenRounds)); // most of a round is waiting for an answer that is lost
  });
});

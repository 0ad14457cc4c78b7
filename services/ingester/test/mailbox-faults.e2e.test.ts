import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotServer, faultProxy, redisServer, type DovecotServer, type FaultProxy } from '@dmarc-ledger/testkit';
import { armFailPoints } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { openMailFixture, type MailFixture } from './mail-fixture.ts';

const MAILS = 200;
/** Each report counts two messages. */
const MESSAGES = 2;
const mails = (count = MAILS) => Array.from({ length: count }, (_, i) => documents.mail(`r-${i}`));

let server: DovecotServer;
beforeAll(async () => void (server = await dovecotServer()));
afterAll(() => server[Symbol.asyncDispose]());

/** A mailbox with mails behind a faulty connection of its own, and an ingester that reads it. */
async function open(fixture: MailFixture, proxy: FaultProxy, count = MAILS) {
  const user = server.user();
  await server.deliver(user, 'INBOX', mails(count));
  const key = await fixture.add({ ...server, tlsPort: proxy.port }, user);
  await fixture.ingester();
  return { user, key };
}

/** The final state. */
async function outcome(fixture: MailFixture, user: string) {
  await fixture.settled();
  const of = async (folder: string) => (await server.messages(user, folder)).length;
  const [inbox, processed] = [await of('INBOX'), await of('Processed')];
  return { inbox, processed, messages: await fixture.messages(), drift: await fixture.drift() };
}

const all = (count = MAILS) => ({ inbox: 0, processed: count, messages: count * MESSAGES, drift: 0 });

describe('on a bad line, a mailbox loses nothing and counts nothing twice', () => {
  it('when the connection is cut in the middle of a message, again and again', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using fixture = await openMailFixture();
    proxy.toxic.cut = { afterBytes: 60_000 };
    proxy.toxic.always = true;
    const { user } = await open(fixture, proxy);
    await fixture.until('some cuts', async () => proxy.ended() >= 5);
    expect(await outcome(fixture, user)).toEqual(all());
  });

  it('when nothing passes any more, without an error', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using fixture = await openMailFixture();
    proxy.toxic.latencyMs = 20;
    const { user, key } = await open(fixture, proxy);
    await fixture.until('the first mails', async () => (await fixture.progress(key)).succeeded_at !== null);
    proxy.toxic.blackHole = true;
    await fixture.until('it is noticed', async () => (await fixture.progress(key)).fault_code !== null);
    proxy.toxic.blackHole = false;
    expect(await outcome(fixture, user)).toEqual(all());
  });

  it('when it drips', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using fixture = await openMailFixture();
    proxy.toxic.bytesPerSecond = 40_000;
    const { user } = await open(fixture, proxy);
    expect(await outcome(fixture, user)).toEqual(all());
  });

  it('when it ends after mail was moved, and before that is known', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using fixture = await openMailFixture();
    let cuts = 0;
    armFailPoints('F7=delay:1,F7=delay:1@2', () => {
      proxy.toxic.latencyMs = 1_000; // the server moves, and its reply is still on the way when the line is cut
      setTimeout(() => {
        proxy.toxic.latencyMs = 0;
        proxy.cutAll();
        cuts += 1;
      }, 500);
    });
    const { user } = await open(fixture, proxy);
    expect(await outcome(fixture, user)).toEqual(all());
    armFailPoints('');
    expect(cuts).toBe(2);
  });

  it('when it ends at any moment', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using fixture = await openMailFixture();
    const { user } = await open(fixture, proxy);
    for (let cuts = 0; cuts < 40; cuts += 1) {
      await sleep(50 + Math.random() * 200);
      proxy.cutAll();
    }
    expect(await outcome(fixture, user)).toEqual(all());
  });
});

it('loses no mail and counts none twice when the Redis of the queue is emptied, away for a while, and started empty', async () => {
  const redis = await redisServer();
  await using fixture = await openMailFixture(redis.url);
  await using proxy = await faultProxy(server.tlsPort);
  proxy.toxic.latencyMs = 20;
  const { user } = await open(fixture, proxy);
  for (let times = 0; times < 5; times += 1) {
    await sleep(200);
    await redis.flushAll();
  }
  await redis.stop();
  await server.append(user, 'INBOX', [documents.mail('while it is away')]);
  await sleep(10_000);
  await redis.restart();
  expect(await outcome(fixture, user)).toEqual(all(MAILS + 1));
  await redis.stop();
});

import { setTimeout as sleep } from 'node:timers/promises';
import { dovecotServer, faultProxy, type DovecotServer, type FaultProxy } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { openMailHouse, type MailHouse } from './mail-house.ts';

const MAILS = 300;
/** Each report counts two messages. */
const MESSAGES = 2;
const mails = (count = MAILS) => Array.from({ length: count }, (_, i) => documents.mail(`r-${i}`));

let server: DovecotServer;
beforeAll(async () => void (server = await dovecotServer()));
afterAll(() => server[Symbol.asyncDispose]());

/** A mailbox with mails in it at the end of a line of its own, and an ingester that reads it. */
async function open(house: MailHouse, proxy: FaultProxy, count = MAILS) {
  const user = server.user();
  await server.deliver(user, 'INBOX', mails(count));
  const key = await house.add({ ...server, tlsPort: proxy.port }, user);
  await house.ingester();
  return { user, key };
}

async function expectAll(house: MailHouse, user: string, count = MAILS) {
  await house.settled();
  expect(await house.messages()).toBe(count * MESSAGES);
  expect(await server.messages(user, 'INBOX')).toEqual([]);
  expect(await server.messages(user, 'Processed')).toHaveLength(count);
  expect(await house.drift()).toBe(0);
}

describe('on a bad line, a mailbox loses nothing and counts nothing twice', () => {
  it('when the connection is cut in the middle of a message, again and again', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using house = await openMailHouse();
    proxy.toxic.cut = { afterBytes: 60_000 };
    proxy.toxic.always = true;
    const { user } = await open(house, proxy);
    await house.until('some cuts', async () => proxy.ended() >= 5);
    await expectAll(house, user);
  });

  it('when nothing gets through any more, and nobody says so', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using house = await openMailHouse();
    proxy.toxic.latencyMs = 20;
    const { user, key } = await open(house, proxy);
    await house.until('the first mails', async () => (await house.standing(key)).succeeded_at !== null);
    proxy.toxic.blackHole = true;
    await house.until('it is noticed', async () => (await house.standing(key)).fault_code !== null);
    proxy.toxic.blackHole = false;
    await expectAll(house, user);
  });

  it('when it drips', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using house = await openMailHouse();
    proxy.toxic.bytesPerSecond = 40_000;
    const { user } = await open(house, proxy);
    await expectAll(house, user);
  });

  it('when it ends at any moment, also after mail was moved and before that is known', async () => {
    await using proxy = await faultProxy(server.tlsPort);
    await using house = await openMailHouse();
    const { user } = await open(house, proxy);
    for (let cuts = 0; cuts < 40; cuts += 1) {
      await sleep(50 + Math.random() * 200);
      proxy.cutAll();
    }
    await expectAll(house, user);
  });
});

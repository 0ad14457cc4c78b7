import { faultProxy, type FaultProxy } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { fakeImap, type FakeImap } from './fake-imap.ts';
import { openMailFixture, type MailFixture } from './mail-fixture.ts';

/** Each report counts two messages. */
const MESSAGES = 2;
const LARGE = 600_000;
/** The whole mail takes longer than a test waits for anything. */
const SLOWEST = LARGE / 300;
const PATIENCE = { connectMs: 3_000, silenceMs: 3_000, idleMs: 1_500 };

let fixture: MailFixture;
let slow: FakeImap;
let proxy: FaultProxy;
let bytesPerSecond: number;
beforeEach(async () => {
  fixture = await openMailFixture();
  slow = await fakeImap();
  proxy = await faultProxy(slow.tlsPort);
  slow.mails.set(1, largeMail('slow'));
  bytesPerSecond = 10_000;
  slow.whim = (command) => {
    if (isBody(command)) proxy.toxic.bytesPerSecond = bytesPerSecond;
    return undefined;
  };
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await proxy.close();
  await slow[Symbol.asyncDispose]();
});

const isBody = (command: string) => /^UID FETCH .*BODY/.test(command);
const isDripping = async () => proxy.toxic.bytesPerSecond !== undefined;

function largeMail(id: string): Buffer {
  return Buffer.concat([documents.mail(id), Buffer.alloc(LARGE, '\n')]);
}

it('is no longer listened to when it hands out a mail too slowly, says so, and is read when it is quicker', async () => {
  const key = await fixture.add({ ...slow, tlsPort: proxy.port }, 'slow');
  await fixture.ingester({ patience: { ...PATIENCE, slowestBytesPerSecond: 1e6 } });
  await fixture.until('the fault shows', async () =>
    ((await fixture.progress(key)).fault ?? '').includes('too slowly'),
  );
  expect(await fixture.progress(key)).toMatchObject({ state: 'retrying', fault_code: 'connection_lost' });
  delete slow.whim;
  delete proxy.toxic.bytesPerSecond;
  await fixture.until('its mail', async () => (await fixture.messages()) === MESSAGES);
});

it('delays no other mailbox but one that needs its memory, which waits and keeps its session', async () => {
  await using large = await fakeImap();
  await using small = await fakeImap();
  large.mails.set(1, largeMail('large'));
  for (let uid = 1; uid <= 10; uid += 1) small.mails.set(uid, documents.mail(`small-${uid}`));
  let isListed = false;
  let askedSince = 0;
  large.whim = (command) => {
    isListed ||= command.includes('RFC822.SIZE');
    if (isListed && command === 'NOOP') askedSince += 1;
    return undefined;
  };
  await fixture.add({ ...slow, tlsPort: proxy.port }, 'slow');
  bytesPerSecond = SLOWEST;
  const patience = { connectMs: 20_000, silenceMs: 20_000, idleMs: 1_500, slowestBytesPerSecond: 1_000 };
  await fixture.ingester({ heldBytes: 1e6, patience });
  await fixture.until('the slow one has the memory', isDripping);
  await fixture.add(large, 'large');
  await fixture.until('the large one waits', async () => askedSince >= 4);
  await fixture.add(small, 'small');
  await fixture.until('the small ones', async () => (await fixture.messages()) === 10 * MESSAGES);
  expect([slow.mails.size, large.mails.size]).toEqual([1, 1]);
  delete slow.whim;
  delete proxy.toxic.bytesPerSecond;
  await fixture.until('all of it', async () => (await fixture.messages()) === 12 * MESSAGES);
  expect([slow, large, small].map((server) => server.sessions())).toEqual([1, 1, 1]);
});

it('holds no memory for a server that never ends a search, and is tried again', async () => {
  await using endless = await fakeImap();
  await using large = await fakeImap();
  endless.mails.set(1, largeMail('endless'));
  large.mails.set(1, largeMail('large'));
  let isSearched = false;
  endless.whim = async (command) => {
    if (isBody(command)) return 'OK nothing';
    if (!command.startsWith('UID SEARCH')) return undefined;
    isSearched = true;
    return await new Promise<string>(() => endless.drip('* OK still searching'));
  };
  const key = await fixture.add(endless, 'endless');
  await fixture.ingester({ heldBytes: 1e6, patience: { ...PATIENCE, slowestBytesPerSecond: 1e6 } });
  await fixture.until('the search', async () => isSearched);
  await fixture.add(large, 'large');
  await fixture.until('the mail of the other', async () => (await fixture.messages()) === MESSAGES);
  expect((await fixture.progress(key)).fault_code).toMatch(/^(connection_lost|command_failed)$/);
});

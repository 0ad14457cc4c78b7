import { removeMailbox } from '@dmarc-ledger/ledger';
import { idText } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { fakeImap, type FakeImap } from './fake-imap.ts';
import { openMailFixture, type MailFixture } from './mail-fixture.ts';

/** Each report counts two messages. */
const MESSAGES = 2;
const MAILS = 10;
const THE_ONE = 4;
const MAX_MAIL = 36 * 1024 ** 2;
/** A UID FETCH of bodies that has this mail in it. */
const bodyOf = (uid: number) => (command: string) =>
  /^UID FETCH (\S+) .*BODY/
    .exec(command)?.[1]
    ?.split(',')
    .some((part) => {
      const [from = 0, to = from] = part.split(':').map(Number);
      return uid >= from && uid <= to;
    }) ?? false;

let fixture: MailFixture;
let server: FakeImap;
beforeEach(async () => {
  fixture = await openMailFixture();
  server = await fakeImap();
  for (let uid = 1; uid <= MAILS; uid += 1) server.mails.set(uid, documents.mail(`r-${uid}`));
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it('reads on past a mail on which the server hangs up, tries that one again, and takes it when the server relents', async () => {
  const isTheOne = bodyOf(THE_ONE);
  server.whim = (command) => (isTheOne(command) ? 'hang up' : undefined);
  const key = await fixture.add(server, 'user');
  await fixture.ingester();
  await fixture.until('the others', async () => (await fixture.messages()) === (MAILS - 1) * MESSAGES);
  await fixture.until('the backlog shows', async () => (await fixture.progress(key)).backlog === 1);
  expect(server.mails.has(THE_ONE)).toBe(true);
  delete server.whim;
  await fixture.until('the one', async () => (await fixture.messages()) === MAILS * MESSAGES);
  await fixture.settled();
  expect(server.mails.size).toBe(0);
});

it('shows a mail that was left behind, and asks for it at the start of the next session, however short sessions are', async () => {
  const isTheOne = bodyOf(THE_ONE);
  server.whim = (command) => (isTheOne(command) ? 'hang up' : undefined);
  const key = await fixture.add(server, 'user');
  const rhythm = { pollMs: 600_000, followMs: 50, sessionMs: 2_000, tokenMs: 5_000, againMs: 600_000 };
  await fixture.ingester({ rhythm });
  const { fault } = await fixture.reaches(
    key,
    ({ state, fault_code, backlog }) => state === 'connected' && fault_code === 'mail_left_behind' && backlog === 1,
  );
  expect(fault).toContain(`UID ${THE_ONE}:`);
  delete server.whim;
  await fixture.until('the one', async () => (await fixture.messages()) === MAILS * MESSAGES);
  await fixture.reaches(key, ({ fault_code }) => fault_code === null);
});

it('is read with the password that a person corrected while the server was refusing the old one', async () => {
  const asked = Promise.withResolvers<void>();
  const corrected = Promise.withResolvers<void>();
  server.whim = async (command) => {
    if (!command.includes('wrong')) return undefined;
    asked.resolve();
    await corrected.promise;
    return 'NO [AUTHENTICATIONFAILED] no';
  };
  const key = await fixture.add(server, 'user', { password: 'wrong' });
  await fixture.ingester();
  await asked.promise;
  expect(await fixture.add(server, 'user')).toEqual(key);
  corrected.resolve();
  await fixture.until('it is read', async () => (await fixture.messages()) === MAILS * MESSAGES);
});

it('logs its faults with the ids that `mailbox list` shows', async () => {
  server.whim = () => 'hang up';
  const { orgId, mailboxId } = await fixture.add(server, 'user');
  await fixture.ingester();
  await fixture.until('a fault', async () => fixture.log.length > 0);
  expect(JSON.parse(fixture.log[0]!)).toMatchObject({
    event: 'intake.fault',
    org: idText(orgId),
    mailbox: idText(mailboxId),
  });
});

it('ends the session of a mailbox at once when it is removed', async () => {
  const key = await fixture.add(server, 'user');
  await fixture.ingester({ listEveryMs: 600_000 });
  await fixture.settled();
  expect(server.connected()).toBe(1);
  await removeMailbox(fixture.database.db, key);
  await fixture.until('no client is connected', async () => server.connected() === 0);
  expect(
    (await fixture.database.db.selectFrom('mailbox').select('removed_at').execute())[0]!.removed_at,
  ).not.toBeNull();
});

it('reads on past a mail that the server refuses to hand out, and takes it when the server relents', async () => {
  const isTheOne = bodyOf(THE_ONE);
  server.whim = (command) => (isTheOne(command) ? 'NO [SERVERBUG] cannot read it' : undefined);
  await fixture.add(server, 'user');
  await fixture.ingester();
  await fixture.until('the others', async () => (await fixture.messages()) === (MAILS - 1) * MESSAGES);
  delete server.whim;
  await fixture.settled();
  expect(await fixture.messages()).toBe(MAILS * MESSAGES);
});

it('stays away for as long as a server asks that is overworked, as Microsoft 365 does, and says so', async () => {
  const isBody = bodyOf(1);
  const text = 'BAD Request is throttled. Suggested Backoff Time: 2500 milliseconds';
  server.whim = (command) => (isBody(command) ? text : undefined);
  const key = await fixture.add(server, 'user');
  await fixture.ingester();
  const { retry_at: retryAt, fault } = await fixture.reaches(key, ({ state }) => state === 'throttled');
  expect(fault).toContain('slow down');
  expect(retryAt).not.toBeNull();
  delete server.whim;
  await fixture.settled();
  expect(await fixture.messages()).toBe(MAILS * MESSAGES);
});

it('stays away for an hour, and no longer, from a server that asks for thousands of years', async () => {
  const isBody = bodyOf(1);
  const text = 'BAD Request is throttled. Suggested Backoff Time: 99999999999999 milliseconds';
  server.whim = (command) => (isBody(command) ? text : undefined);
  const key = await fixture.add(server, 'user');
  const begin = Date.now();
  await fixture.ingester();
  const { retry_at: retryAt } = await fixture.reaches(key, ({ state }) => state === 'throttled');
  expect(retryAt!.getTime()).toBeGreaterThan(begin + 3_000_000);
  expect(retryAt!.getTime()).toBeLessThan(Date.now() + 3_700_000);
  expect(server.sessions()).toBe(1);
});

it('reconnects to a server that says goodbye in the middle, and reports why', async () => {
  server.whim = (command) => (command.startsWith('SELECT') ? '* BYE Too many simultaneous connections' : undefined);
  const key = await fixture.add(server, 'user');
  await fixture.ingester();
  const { state, fault } = await fixture.reaches(key, ({ fault_code }) => fault_code !== null);
  expect(state).toBe('retrying');
  expect(fault).toContain('Too many simultaneous connections');
  delete server.whim;
  await fixture.settled();
  expect(await fixture.messages()).toBe(MAILS * MESSAGES);
});

it('receives as a whole, and alone, a mail that is much longer than the server reports', async () => {
  const padding = `X-Padding: ${'a'.repeat(900)}\n`.repeat(60);
  server.mails.set(THE_ONE, Buffer.concat([Buffer.from(padding), documents.mail(`r-${THE_ONE}`)]));
  for (const uid of server.mails.keys()) server.announcedSizes.set(uid, 1);
  const bodies: string[] = [];
  server.whim = (command) => void (/^UID FETCH .*BODY/.test(command) && bodies.push(command));
  await fixture.add(server, 'user');
  await fixture.ingester();
  await fixture.settled();
  expect(await fixture.messages()).toBe(MAILS * MESSAGES);
  expect(bodies.map((command) => command.split(' ')[2])).toEqual(['1,2,3,4,5,6,7,8,9,10', '4']);
  expect(server.sessions()).toBe(1);
});

it('keeps the header of a mail that is too large, though the server reports another size, and reads on', async () => {
  server.mails.set(THE_ONE, Buffer.concat([documents.mail('large'), Buffer.alloc(MAX_MAIL, '\n')]));
  server.announcedSizes.set(THE_ONE, 1);
  await fixture.add(server, 'user');
  await fixture.ingester();
  await fixture.settled();
  expect(await fixture.messages()).toBe((MAILS - 1) * MESSAGES);
  expect(await fixture.ledger('message_too_large')).toHaveLength(1);
});

it('reconnects less and less often to a server that ends each session after the look, and reports why', async () => {
  server.mails.clear();
  let asked = 0;
  // the first of a session is part of its look
  server.whim = (command) => (command === 'NOOP' && (asked += 1) % 2 === 0 ? 'hang up' : undefined);
  const key = await fixture.add(server, 'user');
  await fixture.ingester();
  await fixture.until('it stays away for seconds', async () => {
    const { retry_at: retryAt } = await fixture.progress(key);
    return retryAt !== null && retryAt.getTime() - Date.now() > 3_000;
  });
  expect(await fixture.progress(key)).toMatchObject({ state: 'retrying', fault_code: 'connection_lost' });
  expect((await fixture.progress(key)).succeeded_at).not.toBeNull();
  delete server.whim;
  server.mails.set(1, documents.mail('r-1'));
  await fixture.until('its mail', async () => (await fixture.messages()) === MESSAGES);
});

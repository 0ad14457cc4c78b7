import { PATIENCE } from '@dmarc-ledger/inlets';
import { dovecotServer, type DovecotServer } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { openMailFixture } from './mail-fixture.ts';

const NO_REPORT = Buffer.from('From: a@example.com\r\nSubject: hello\r\n\r\nThere is no report in this.\r\n');
const mails = (count: number, from = 0) => Array.from({ length: count }, (_, i) => documents.mail(`r-${from + i}`));
/** Each report counts two messages. */
const MESSAGES = 2;

let server: DovecotServer;
beforeAll(async () => void (server = await dovecotServer({ record: true })));
afterAll(() => server[Symbol.asyncDispose]());

async function counts(user: string, at = server) {
  const of = async (folder: string) => (await at.messages(user, folder)).length;
  return { inbox: await of('INBOX'), processed: await of('Processed'), refused: await of('Refused') };
}

describe('a mailbox', () => {
  it('is read, and its mail put aside once the ledger has it; new mail is noticed at once', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [...mails(3), NO_REPORT]);
    await fixture.add(server, user);
    await fixture.ingester({
      rhythm: { pollMs: 60_000, followMs: 50, sessionMs: 60_000, tokenMs: 5_000, againMs: 1_000 },
    });
    await fixture.settled();
    expect(await counts(user)).toEqual({ inbox: 0, processed: 3, refused: 1 });
    await server.append(user, 'INBOX', mails(1, 3));
    await fixture.until('the new mail', async () => (await counts(user)).processed === 4);
    expect(await fixture.messages()).toBe(4 * MESSAGES);
    expect(fixture.log.join('')).toBe('');
  });

  it('keeps one session, and listens all the time, while nothing comes for long', async () => {
    await using fixture = await openMailFixture();
    await using quiet = await dovecotServer({ record: true });
    const faster = 20; // the default patience, only shorter
    await fixture.add(quiet, quiet.user());
    await fixture.ingester({
      rhythm: { pollMs: 60_000, followMs: 50, sessionMs: 60_000, tokenMs: 5_000, againMs: 1_000 },
      patience: {
        ...PATIENCE,
        silenceMs: PATIENCE.silenceMs / faster,
        idleMs: PATIENCE.idleMs / faster,
      },
    });
    const said = (command: RegExp) => quiet.commands().filter((line) => command.test(line)).length;
    const ends = () => fixture.log.length > 0 || said(/^SELECT/) > 1;
    await fixture.until('IDLE begun anew', async () => ends() || said(/^IDLE/) > 4);
    expect(fixture.log.join('')).toBe('');
    expect(said(/^SELECT/)).toBe(1);
  });

  it('is read by position: what another client has seen, flagged or marked as deleted counts all the same', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', mails(3));
    const client = await fixture.client(server, user);
    await client.messageFlagsAdd('1:*', ['\\Seen', '\\Flagged']);
    await client.messageFlagsAdd('2', ['\\Deleted']);
    await fixture.add(server, user, { after_intake: 'leave' });
    await fixture.ingester();
    await fixture.settled();
    expect(await fixture.messages()).toBe(3 * MESSAGES);
    const flags = await client.fetchAll('1:*', { flags: true });
    expect(flags.map(({ flags: set }) => [...set!].filter((flag) => flag !== '\\Recent').toSorted())).toEqual([
      ['\\Flagged', '\\Seen'],
      ['\\Deleted', '\\Flagged', '\\Seen'],
      ['\\Flagged', '\\Seen'],
    ]);
    client.close();
  });

  it('may be left as it is, or its mail marked with a keyword', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [...mails(1), NO_REPORT]);
    await fixture.add(server, user, { after_intake: 'keyword' });
    await fixture.ingester();
    await fixture.settled();
    const client = await fixture.client(server, user);
    const [stored, refused] = await client.fetchAll('1:*', { flags: true });
    expect([stored!.flags!.has('$Ingested'), refused!.flags!.has('$Refused')]).toEqual([true, true]);
    client.close();
    expect((await server.messages(user, 'INBOX')).length).toBe(2);
  });

  it('counts nothing twice when the folder is numbered anew, and reads it from the start', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', mails(5));
    const key = await fixture.add(server, user, { after_intake: 'leave' });
    const first = await fixture.ingester();
    await fixture.settled();
    await first.close();
    server.renumber(user, 'INBOX');
    await server.deliver(user, 'INBOX', mails(2, 5));
    await fixture.ingester();
    await fixture.until('the new uidValidity', async () => (await fixture.progress(key)).checkpoint_uid >= 7);
    await fixture.settled();
    expect(await fixture.messages()).toBe(7 * MESSAGES);
  });

  it('loses nothing and counts nothing twice when its folder is deleted and made again under its eyes', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'Reports', mails(2));
    const key = await fixture.add(server, user, { folder: 'Reports', after_intake: 'leave' });
    await fixture.ingester({ rhythm: { pollMs: 300, followMs: 50, sessionMs: 1_000, tokenMs: 5_000, againMs: 1_000 } });
    await fixture.settled();
    await server.deleteFolder(user, 'Reports');
    await fixture.until('the loss is noticed', async () => (await fixture.progress(key)).fault_code !== null);
    await server.deliver(user, 'Reports', mails(4));
    await fixture.until('all is read', async () => (await fixture.messages()) === 4 * MESSAGES);
    await fixture.settled();
    expect(await fixture.messages()).toBe(4 * MESSAGES);
  });

  it('copes with other clients that move and delete mail in it', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', mails(300));
    await server.createFolder(user, 'Elsewhere');
    const client = await fixture.client(server, user);
    await fixture.add(server, user);
    await fixture.ingester();
    for (let i = 0; i < 20 && client.mailbox && client.mailbox.exists > 3; i += 1) {
      await client.messageMove('3', 'Elsewhere');
      await client.messageDelete('2');
    }
    client.close();
    await fixture.settled();
    const { inbox, processed } = await counts(user);
    const read = (await fixture.messages()) / MESSAGES;
    expect(inbox).toBe(0);
    expect(read).toBeGreaterThanOrEqual(processed);
    expect(read).toBeLessThanOrEqual(300);
    expect(await fixture.drift()).toBe(0);
  });

  it('keeps of a mail that is too large the header, refuses it, and reads the others', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    const huge = Buffer.concat([Buffer.from('Subject: huge\r\n\r\n'), Buffer.alloc(37 * 1024 ** 2, 'x\r\n')]);
    await server.deliver(user, 'INBOX', [...mails(1), huge, ...mails(1, 1)]);
    await fixture.add(server, user);
    await fixture.ingester();
    await fixture.settled();
    expect(await counts(user)).toEqual({ inbox: 0, processed: 2, refused: 1 });
    const refused = await fixture.ledger('message_too_large');
    expect(refused).toMatchObject([{ state: 'refused', parts: [{ code: 'message_too_large' }] }]);
    expect(refused[0]!.size).toBe(64 * 1024);
  });

  it('is read by one ingester at a time, and by another as soon as the first is gone', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    const key = await fixture.add(server, user);
    const first = await fixture.ingester();
    await fixture.until('the first holds it', async () => (await fixture.progress(key)).holder !== null);
    const { holder } = await fixture.progress(key);
    await fixture.ingester();
    await first.close();
    await server.deliver(user, 'INBOX', mails(1));
    await fixture.until('the second reads it', async () => (await fixture.messages()) === MESSAGES);
    expect((await fixture.progress(key)).holder).not.toBe(holder);
  });

  it('may be read by two ingesters at once: nothing is counted twice', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', mails(1_000));
    await fixture.add(server, user);
    await fixture.ingester({ lease: false });
    await fixture.ingester({ lease: false });
    await fixture.settled();
    expect(await fixture.messages()).toBe(1_000 * MESSAGES);
    expect((await server.messages(user, 'INBOX')).length).toBe(0);
    const processed = await server.messages(user, 'Processed'); // Dovecot may keep both of two moves at once
    expect(new Set(processed.map(({ source }) => source.toString())).size).toBe(1_000);
    expect(await fixture.drift()).toBe(0);
  });
});

describe('a mailbox on a server that knows less', () => {
  it('is read without MOVE and IDLE, by copying, and expunges only what is ours', async () => {
    await using plain = await dovecotServer({ move: false, idle: false, record: true });
    await using fixture = await openMailFixture();
    const user = plain.user();
    await plain.deliver(user, 'INBOX', [...mails(3), NO_REPORT]);
    await fixture.add(plain, user);
    await fixture.ingester();
    await fixture.settled();
    await plain.append(user, 'INBOX', mails(1, 3));
    await fixture.until('the new mail', async () => (await counts(user, plain)).processed === 4);
    expect(await counts(user, plain)).toEqual({ inbox: 0, processed: 4, refused: 1 });
    expect(await fixture.messages()).toBe(4 * MESSAGES);
    const commands = plain.commands();
    expect(commands.filter((command) => /^(?:EXPUNGE|IDLE|UID MOVE)/.test(command))).toEqual([]);
    expect(commands.filter((command) => command.startsWith('UID EXPUNGE')).length).toBeGreaterThan(0);
  });

  it('is marked with a keyword without MOVE and UIDPLUS: expunging would take others’ mail too', async () => {
    await using plain = await dovecotServer({ move: false, uidplus: false, record: true });
    await using fixture = await openMailFixture();
    const user = plain.user();
    await plain.deliver(user, 'INBOX', mails(2));
    await fixture.add(plain, user);
    await fixture.ingester();
    await fixture.settled();
    expect((await plain.messages(user, 'INBOX')).length).toBe(2);
    expect(plain.commands().filter((command) => /EXPUNGE|MOVE|COPY/.test(command))).toEqual([]);
    expect(await fixture.messages()).toBe(2 * MESSAGES);
  });
});

import { listMailboxes } from '@dmarc-ledger/ledger';
import { watchMailboxes } from '@dmarc-ledger/pipeline';
import { dovecotServer, type DovecotServer } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { openMailHouse, type MailHouse } from './mail-house.ts';

let server: DovecotServer;
beforeAll(async () => void (server = await dovecotServer()));
afterAll(() => server[Symbol.asyncDispose]());

async function openEvents({ database: { db } }: MailHouse) {
  return await db.selectFrom('event').selectAll().where('resolved_at', 'is', null).execute();
}

/** One look of the watch, by an endurance of its own. */
async function watchOnce({ database }: MailHouse, endurance = { failingMinutes: 15, silentHours: 26 }) {
  const ending = new AbortController();
  const watching = watchMailboxes({ database, endurance, everyMs: 10, onFault: () => ending.abort() }, ending.signal);
  setTimeout(() => ending.abort(), 100);
  await watching;
}

describe('a mailbox in trouble', () => {
  it('is not tried again when the sign-in is refused, raises one event, and goes on once it is mended', async () => {
    await using house = await openMailHouse();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    const key = await house.add(server, user, { password: 'wrong' });
    await house.ingester();
    const { fault_code, fault } = await house.stands(key, ({ state }) => state === 'stopped');
    expect(fault_code).toBe('auth_failed');
    expect(fault).not.toContain('wrong');
    await house.until('the server has written it down', async () => logins(user) > 0);
    const attempts = logins(user);
    await watchOnce(house);
    await watchOnce(house);
    expect(await openEvents(house)).toMatchObject([{ type: 'report_parse_failed', severity: 'critical', domain: '' }]);
    expect(logins(user)).toBe(attempts);

    expect(await house.add(server, user)).toEqual(key);
    await house.until('it is read', async () => (await house.messages()) === 2);
    await house.settled();
    await watchOnce(house);
    expect(await openEvents(house)).toEqual([]);
  });

  it('says why TLS fails, and sends no password without it', async () => {
    await using house = await openMailHouse();
    await using other = await dovecotServer();
    const key = await house.add(server, server.user(), { ca: other.ca });
    await house.ingester();
    const { state, fault } = await house.stands(key, ({ fault_code }) => fault_code === 'tls_failed');
    expect(state).toBe('retrying');
    expect(fault).toContain('--ca-file');
    expect(fault).not.toContain('Node.js');
  });

  it('says in one sentence what to do when a port that speaks no TLS is asked to', async () => {
    await using house = await openMailHouse();
    const key = await house.add(server, server.user(), { port: server.port });
    await house.ingester();
    const { fault } = await house.stands(key, ({ fault_code }) => fault_code === 'tls_failed');
    expect(fault).toBe(
      'TLS failed: the server does not speak TLS at this port. Give the port of IMAP over TLS, usually 993, or say --tls starttls if the server offers STARTTLS here',
    );
  });

  it('names the folders that there are when the one to be read is not among them', async () => {
    await using house = await openMailHouse();
    const user = server.user();
    await server.deliver(user, 'Archive.Reports', [documents.mail('a')]);
    const key = await house.add(server, user, { folder: 'Archive/Report' });
    await house.ingester();
    const { fault } = await house.stands(key, ({ fault_code }) => fault_code === 'folder_missing');
    expect(fault).toMatch(/^The folder Archive.Report cannot be opened\. There are: .*Archive[./]Reports.*\.$/);
  });

  it('signs in by STARTTLS', async () => {
    await using house = await openMailHouse();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    await house.add(server, user, { tls: 'starttls', port: server.port });
    await house.ingester();
    await house.settled();
    expect(await house.messages()).toBe(2);
  });

  it('is tried again when the server was away, and says since when it fails', async () => {
    await using house = await openMailHouse();
    await using own = await dovecotServer();
    const user = own.user();
    const key = await house.add(own, user);
    await house.ingester();
    await house.until('it is read', async () => (await house.standing(key)).succeeded_at !== null);
    await own.stop();
    await house.until('it fails', async () => (await house.standing(key)).failing_since !== null);
    await own.restart();
    await own.deliver(user, 'INBOX', [documents.mail('a')]);
    await house.until('it is read again', async () => (await house.messages()) === 2);
    const well = await house.stands(key, ({ fault_code }) => fault_code === null);
    expect(well).toMatchObject({ state: 'connected', failing_since: null, retry_at: null });
  });

  it('waits in front of a full house, and its mail stays where it is', async () => {
    await using house = await openMailHouse();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    const key = await house.add(server, user);
    const full = { outbox: 5_000, waiting: 10_000, freeDisk: 1.1, commitMs: 1_000, mailsAnHour: 20_000 };
    const ingester = await house.ingester({ bearing: full });
    await house.until('it is held', async () => (await house.standing(key)).state === 'held');
    expect((await server.messages(user, 'INBOX')).length).toBe(1);
    await ingester.close();
    await house.ingester();
    await house.settled();
    expect(await house.messages()).toBe(2);
  });

  it('takes no more in an hour than a mailbox may; what lay there before is no flood', async () => {
    await using house = await openMailHouse();
    const user = server.user();
    await server.deliver(
      user,
      'INBOX',
      Array.from({ length: 20 }, (_, i) => documents.mail(`old-${i}`)),
    );
    const key = await house.add(server, user);
    await house.ingester({ bearing: { outbox: 5_000, waiting: 10_000, freeDisk: 0, commitMs: 1e6, mailsAnHour: 5 } });
    await house.settled();
    expect(await house.messages()).toBe(40);
    await server.append(
      user,
      'INBOX',
      Array.from({ length: 8 }, (_, i) => documents.mail(`new-${i}`)),
    );
    await house.until('the new ones', async () => (await house.messages()) > 40);
    let more = 0;
    await house.until('it is held', async () => {
      await server.append(user, 'INBOX', [documents.mail(`more-${(more += 1)}`)]);
      return (await house.standing(key)).state === 'held';
    });
  });

  it('raises an event when nothing arrives any more, or nobody looks', async () => {
    await using house = await openMailHouse();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    await house.add(server, user);
    const ingester = await house.ingester();
    await house.settled();
    await watchOnce(house);
    expect(await openEvents(house)).toEqual([]);
    await house.shift('27 hours');
    await house.until(
      'it is looked at',
      async () => (await listMailboxes(house.database.db))[0]!.progress.state === 'connected',
    );
    await house.until(
      'a fresh look',
      async () => Date.now() - (await listMailboxes(house.database.db))[0]!.progress.succeeded_at!.getTime() < 60_000,
    );
    await watchOnce(house);
    expect(await openEvents(house)).toMatchObject([{ type: 'reports_stopped' }]);
    await ingester.close();
    await house.shift('1 hour');
    await watchOnce(house);
    expect(await openEvents(house)).toMatchObject([{ type: 'report_parse_failed', severity: 'warning' }]);
  });
});

function logins(user: string): number {
  return server
    .log()
    .split('\n')
    .filter((line) => line.includes(user) && line.includes('auth failed')).length;
}

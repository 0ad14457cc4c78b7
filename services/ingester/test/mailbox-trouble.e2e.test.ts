import { listMailboxes } from '@dmarc-ledger/ledger';
import { watchMailboxes } from '@dmarc-ledger/pipeline';
import { dovecotServer, type DovecotServer } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documents } from './documents.ts';
import { openMailFixture, type MailFixture } from './mail-fixture.ts';

let server: DovecotServer;
beforeAll(async () => void (server = await dovecotServer()));
afterAll(() => server[Symbol.asyncDispose]());

async function openEvents({ database: { db } }: MailFixture) {
  return await db.selectFrom('event').selectAll().where('resolved_at', 'is', null).execute();
}

/** One run of the watch, with its own patience. */
async function watchOnce({ database }: MailFixture, endurance = { failingMinutes: 15, silentHours: 26 }) {
  const ending = new AbortController();
  const watching = watchMailboxes({ database, endurance, everyMs: 10, onFault: () => ending.abort() }, ending.signal);
  setTimeout(() => ending.abort(), 100);
  await watching;
}

const aDay = { mails: 1e6, bytes: 1e9 };
const full = { outbox: 5_000, waiting: 10_000, freeDisk: 1.1, commitMs: 1_000, mailsAnHour: 20_000, aDay };

describe('a mailbox in trouble', () => {
  it('is not tried again when the sign-in is refused, raises one event, and goes on once it is mended', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    const key = await fixture.add(server, user, { password: 'wrong' });
    await fixture.ingester();
    const { fault_code, fault } = await fixture.reaches(key, ({ state }) => state === 'stopped');
    expect(fault_code).toBe('auth_failed');
    expect(fault).not.toContain('wrong');
    await fixture.until('the server has written it down', async () => logins(user) > 0);
    const attempts = logins(user);
    await watchOnce(fixture);
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toMatchObject([
      { type: 'report_parse_failed', severity: 'critical', domain: '' },
    ]);
    expect(logins(user)).toBe(attempts);

    expect(await fixture.add(server, user)).toEqual(key);
    await fixture.until('it is read', async () => (await fixture.messages()) === 2);
    await fixture.settled();
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toEqual([]);
  });

  it('says why TLS fails, and sends no password without it', async () => {
    await using fixture = await openMailFixture();
    await using other = await dovecotServer();
    const key = await fixture.add(server, server.user(), { ca: other.ca });
    await fixture.ingester();
    const { state, fault } = await fixture.reaches(key, ({ fault_code }) => fault_code === 'tls_failed');
    expect(state).toBe('retrying');
    expect(fault).toContain('--ca-file');
    expect(fault).not.toContain('Node.js');
  });

  it('says in one sentence what to do when a port that speaks no TLS is asked to', async () => {
    await using fixture = await openMailFixture();
    const key = await fixture.add(server, server.user(), { port: server.port });
    await fixture.ingester();
    const { fault } = await fixture.reaches(key, ({ fault_code }) => fault_code === 'tls_failed');
    expect(fault).toBe(
      'TLS failed: the server does not speak TLS at this port. Give the port of IMAP over TLS, usually 993, or use --tls starttls if the server offers STARTTLS here',
    );
  });

  it('names the folders that there are when the one to be read is not among them', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'Archive.Reports', [documents.mail('a')]);
    const key = await fixture.add(server, user, { folder: 'Archive/Report' });
    await fixture.ingester();
    const { fault } = await fixture.reaches(key, ({ fault_code }) => fault_code === 'folder_missing');
    expect(fault).toMatch(/^The folder Archive.Report cannot be opened\. There are: .*Archive[./]Reports.*\.$/);
  });

  it('signs in by STARTTLS', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    await fixture.add(server, user, { tls: 'starttls', port: server.port });
    await fixture.ingester();
    await fixture.settled();
    expect(await fixture.messages()).toBe(2);
  });

  it('is tried again when the server was away, and says since when it fails', async () => {
    await using fixture = await openMailFixture();
    await using own = await dovecotServer();
    const user = own.user();
    const key = await fixture.add(own, user);
    await fixture.ingester();
    await fixture.until('it is read', async () => (await fixture.progress(key)).succeeded_at !== null);
    await own.stop();
    await fixture.until('it fails', async () => (await fixture.progress(key)).failing_since !== null);
    await own.restart();
    await own.deliver(user, 'INBOX', [documents.mail('a')]);
    await fixture.until('it is read again', async () => (await fixture.messages()) === 2);
    const well = await fixture.reaches(key, ({ fault_code }) => fault_code === null);
    expect(well).toMatchObject({ state: 'connected', failing_since: null, retry_at: null });
  });

  it('waits in front of a full fixture, and its mail stays where it is', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    const key = await fixture.add(server, user);
    const ingester = await fixture.ingester({ bearing: full });
    await fixture.until('it is held', async () => (await fixture.progress(key)).state === 'held');
    expect((await server.messages(user, 'INBOX')).length).toBe(1);
    await ingester.close();
    await fixture.ingester();
    await fixture.settled();
    expect(await fixture.messages()).toBe(2);
  });

  it('raises an event when mail has waited for hours because there is no space', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    const client = await fixture.client(server, user);
    const arrived = new Date(Date.UTC(2026, 0, 2));
    await client.append('INBOX', documents.mail('a'), [], arrived);
    await client.append('INBOX', documents.mail('b'));
    await client.logout();
    const key = await fixture.add(server, user);
    await fixture.ingester({ bearing: full });
    const progress = await fixture.reaches(key, ({ state, backlog }) => state === 'held' && backlog === 2);
    expect(progress.oldest_waiting_at).toEqual(arrived);
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toMatchObject([
      {
        type: 'report_parse_failed',
        title: expect.stringMatching(/^Mail waits in a mailbox: /),
        message: expect.stringContaining(' Free space, or wait until the queue is shorter.'),
      },
    ]);
  });

  it('says that mail waits until tomorrow when its organization has brought all that it may in a day', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    const client = await fixture.client(server, user);
    for (const id of ['a', 'b', 'c'])
      await client.append('INBOX', documents.mail(id), [], new Date(Date.UTC(2026, 0, 2)));
    await client.logout();
    const key = await fixture.add(server, user);
    await sql`insert into mailbox_day (org_id, day, mails, bytes)
      values (${key.orgId}, (now() at time zone 'utc')::date, ${aDay.mails}, 0)`.execute(fixture.database.db);
    await fixture.ingester({ bearing: { ...full, freeDisk: 0, commitMs: 1e6 } });
    await fixture.reaches(key, ({ state, backlog }) => state === 'held' && backlog === 3);
    await watchOnce(fixture);
    const [event] = await openEvents(fixture);
    expect(event?.title).toMatch(/^Mail waits in a mailbox: /);
    expect(event?.message).toMatch(/ The rest is fetched tomorrow \(UTC\)\.$/);
  });

  it('takes no more in an hour than a mailbox may; what lay there before is no flood', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(
      user,
      'INBOX',
      Array.from({ length: 20 }, (_, i) => documents.mail(`old-${i}`)),
    );
    const key = await fixture.add(server, user);
    await fixture.ingester({
      bearing: { outbox: 5_000, waiting: 10_000, freeDisk: 0, commitMs: 1e6, mailsAnHour: 5, aDay },
    });
    await fixture.settled();
    expect(await fixture.messages()).toBe(40);
    await server.append(
      user,
      'INBOX',
      Array.from({ length: 8 }, (_, i) => documents.mail(`new-${i}`)),
    );
    await fixture.until('the new ones', async () => (await fixture.messages()) > 40);
    let more = 0;
    await fixture.until('it is held', async () => {
      await server.append(user, 'INBOX', [documents.mail(`more-${(more += 1)}`)]);
      return (await fixture.progress(key)).state === 'held';
    });
  });

  it('is not called silent while its new mail waits behind much old mail, or for space', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    const key = await fixture.add(server, user);
    const ingester = await fixture.ingester();
    await fixture.settled();
    await ingester.close();
    await fixture.shift('27 hours');
    await server.deliver(user, 'INBOX', [documents.mail('b')]);
    await fixture.ingester({ bearing: full });
    await fixture.reaches(key, ({ state, backlog }) => state === 'held' && backlog === 1);
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toEqual([]);
  });

  it('raises an event when nothing arrives any more, or no ingester looks', async () => {
    await using fixture = await openMailFixture();
    const user = server.user();
    await server.deliver(user, 'INBOX', [documents.mail('a')]);
    await fixture.add(server, user);
    const ingester = await fixture.ingester();
    await fixture.settled();
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toEqual([]);
    await fixture.shift('27 hours');
    await fixture.until(
      'it is looked at',
      async () => (await listMailboxes(fixture.database.db))[0]!.progress.state === 'connected',
    );
    await fixture.until(
      'a fresh look',
      async () => Date.now() - (await listMailboxes(fixture.database.db))[0]!.progress.succeeded_at!.getTime() < 60_000,
    );
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toMatchObject([{ type: 'reports_stopped' }]);
    await ingester.close();
    await fixture.shift('1 hour');
    await watchOnce(fixture);
    expect(await openEvents(fixture)).toMatchObject([{ type: 'report_parse_failed', severity: 'warning' }]);
  });
});

function logins(user: string): number {
  return server
    .log()
    .split('\n')
    .filter((line) => line.includes(user) && line.includes('auth failed')).length;
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addUser,
  createOrganization,
  listSubscriptions,
  planDigests,
  removeUser,
  subscribe,
} from '@dmarc-ledger/ledger';
import { openMailer, type DnsClient } from '@dmarc-ledger/lookups';
import {
  cloneDatabase,
  givenReports,
  smtpHost,
  travellingClock,
  type ClonedDatabase,
  type SmtpHost,
} from '@dmarc-ledger/testkit';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { simpleParser } from 'mailparser';
import { sql } from 'kysely';
import { idText } from '@dmarc-ledger/vocabulary';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openNotifier, sendDigest, type Notifier } from '../src/index.ts';
import { givenEvent } from './notifications/given.ts';

// a Monday
const MONDAY = new Date('2026-03-09T07:00:30Z');
const MINUTE_MS = 60_000;
const noDns = {} as DnsClient; // no webhook is sent here

let mail: SmtpHost;
let notifier: Notifier;
let database: ClonedDatabase;
let setClock: (instant: Date) => void;
let now: Date;
let orgId: string;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'digests-'));
  const made = await makeCertificate(folder);
  const file = (path: string) => readFileSync(path, 'utf8');
  mail = await smtpHost({ certificate: file(made.certificate), key: file(made.key) });
  const mailer = openMailer({ url: `smtp://localhost:${mail.port}`, from: 'ledger@ledger.example', ca: made.ca });
  notifier = openNotifier({ webhooks: { client: noDns }, mailer, appUrl: 'https://app.ledger.example' });
  rmSync(folder, { recursive: true });
});
afterAll(() => mail[Symbol.asyncDispose]());
beforeEach(async () => {
  database = await cloneDatabase();
  ({ set: setClock } = travellingClock(database));
  at('2026-03-04T12:00:00Z');
  ({ id: orgId } = await createOrganization(database.db, { name: 'Harbor' }));
  await addUser(database.db, orgId, { email: 'Ops@example.com', role: 'owner' });
  mail.refuse(0);
});
afterEach(() => database[Symbol.asyncDispose]());

function at(instant: string | Date): void {
  now = new Date(instant);
  setClock(now);
}

/** Plans what is due by several schedulers at once, and does the announced work. Returns the mails that were taken. */
async function morning(needs: { times?: number } = {}) {
  const before = mail.taken.length;
  await Promise.all([planDigests(database), planDigests(database), planDigests(database)]);
  const { rows } = await sql<{ payload: { orgId: string; userId: string } }>`
    delete from outbox where job = 'sendDigest' returning payload`.execute(database.db);
  const work = rows.flatMap(({ payload }) => Array.from({ length: needs.times ?? 1 }, () => payload));
  await Promise.all(work.map((payload) => sendDigest({ database, notifier, now: () => now }, payload)));
  return await Promise.all(mail.taken.slice(before).map(({ text }) => simpleParser(text)));
}

const weekly = { frequency: 'weekly', domains: [] } as const;
const own = async () => (await listSubscriptions(database.db, orgId))[0];

describe('a member who wants the digest', () => {
  it('gets it on Monday, once, with the figures of the week, however many schedulers and workers run', async () => {
    await givenReports(database.db, orgId, [
      { domain: 'a.example', begin: '2026-03-03T00:00:00Z', end: '2026-03-03T23:59:59Z', records: [{ count: 60 }] },
      { domain: 'a.example', begin: '2026-02-25T00:00:00Z', end: '2026-02-25T23:59:59Z', records: [{ count: 40 }] },
      { domain: 'b.example', begin: '2026-03-07T00:00:00Z', end: '2026-03-07T23:59:59Z', records: [{ count: 15 }] },
      { domain: 'b.example', begin: '2026-03-08T00:00:00Z', end: '2026-03-08T23:59:59Z', records: [{ count: 9 }] },
    ]);
    await givenEvent(database, orgId, { title: 'In the week', createdAt: new Date('2026-03-05T00:00:00Z') });
    await givenEvent(database, orgId, {
      type: 'domain_discovered',
      title: 'Long before',
      createdAt: new Date('2026-03-01T00:00:00Z'),
    });
    expect(await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now })).toBe(true);
    expect(await morning()).toEqual([]);
    at(MONDAY);
    const [received, ...others] = await morning({ times: 3 });
    expect(others).toEqual([]);
    expect(received!.to).toMatchObject({ text: 'Ops@example.com' });
    expect(received!.subject).toBe('DMARC of Harbor: 1 critical event');
    expect(received!.text).toContain('Messages: 75 (40 before)');
    expect(received!.text).toContain('In the week');
    expect(received!.text).toContain(`Details: https://app.ledger.example/?org=${idText(orgId)}`);
    expect(received!.text).not.toContain('Long before');
    expect(received!.html).toContain('<html lang="en">');
    const header = (name: string) => String(received!.headerLines.find(({ key }) => key === name)?.line);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(header('list-unsubscribe').replaceAll(/\s/g, '')).toMatch(
      /<https:\/\/app\.ledger\.example\/digest\/unsubscribe\?of=\w{26}\.\w{26}\.[0-9a-f-]{36}>/,
    );
    expect(await own()).toMatchObject({ sent_day: '2026-03-09', due_day: '2026-03-16', tries: 0, hand: null });
    at('2026-03-12T07:00:30Z');
    expect(await morning()).toEqual([]);
  });

  it('gets each once when the clock of a worker is behind that of the database', async () => {
    await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now });
    at('2026-03-09T07:00:01Z');
    now = new Date('2026-03-09T06:59:58Z');
    const received = await morning();
    expect(received.map(({ messageId }) => messageId)).toEqual([expect.stringContaining('2026-03-09')]);
    expect(await own()).toMatchObject({ sent_day: '2026-03-09', due_day: '2026-03-16', tries: 0, hand: null });
    at('2026-03-09T07:01:00Z');
    expect(await morning()).toEqual([]);
  });

  it('gets one when nothing happened, and only about the domains asked for', async () => {
    await givenReports(database.db, orgId, [
      { domain: 'a.example', begin: '2026-03-03T00:00:00Z', end: '2026-03-03T23:59:59Z', records: [{ count: 60 }] },
      { domain: 'b.example', begin: '2026-03-03T00:00:00Z', end: '2026-03-03T23:59:59Z', records: [{ count: 7 }] },
    ]);
    await givenEvent(database, orgId, { domain: 'a.example', createdAt: new Date('2026-03-05T00:00:00Z') });
    await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, domains: ['b.example'], now });
    at(MONDAY);
    const [received] = await morning();
    expect(received!.subject).toBe('DMARC of Harbor: a quiet week');
    expect(received!.text).toContain('Messages: 7');
  });

  it('gets it later when the mail server refused it, by the same id, and no second one', async () => {
    await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now });
    at(MONDAY);
    mail.refuse(451);
    expect(await morning()).toEqual([]);
    expect(await own()).toMatchObject({ error_code: 'mail_refused', tries: 1, due_day: '2026-03-09', sent_day: null });
    mail.refuse(0);
    expect(await morning()).toEqual([]); // not before the wait is over
    at(new Date(MONDAY.getTime() + 6 * MINUTE_MS));
    const [received] = await morning();
    expect(received!.messageId).toMatch(/^<digest\.\w{26}\.\w{26}\.2026-03-09@ledger\.example>$/);
    at(new Date(MONDAY.getTime() + 400 * MINUTE_MS));
    expect(await morning()).toEqual([]);
  });

  it('gets the newest alone after an outage of weeks, and the lost try of a worker that died is made again', async () => {
    await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now });
    at('2026-03-25T12:00:00Z');
    await planDigests(database); // its worker died with the job
    await sql`delete from outbox`.execute(database.db);
    expect(await morning()).toEqual([]);
    at('2026-03-25T12:06:00Z');
    const [received, ...others] = await morning();
    expect(received!.messageId).toContain('2026-03-23');
    expect(others).toEqual([]);
    expect(await own()).toMatchObject({ sent_day: '2026-03-23', due_day: '2026-03-30' });
  });

  it('gets the newest after an outage also where an older one was refused', async () => {
    await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now });
    at(MONDAY);
    mail.refuse(451);
    await morning();
    mail.refuse(0);
    at('2026-03-25T12:00:00Z');
    const received = await morning();
    expect(received.map(({ messageId }) => messageId)).toEqual([expect.stringContaining('2026-03-23')]);
    expect(await own()).toMatchObject({ sent_day: '2026-03-23', due_day: '2026-03-30', tries: 0 });
  });

  it('gets no more when it is given up, until the next is due', async () => {
    await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now });
    mail.refuse(550);
    for (const minutes of [0, 6, 37, 160, 525]) {
      at(new Date(MONDAY.getTime() + minutes * MINUTE_MS));
      await morning();
    }
    expect(await own()).toMatchObject({ error_code: 'mail_refused', due_day: '2026-03-16', tries: 0, hand: null });
    mail.refuse(0);
    at('2026-03-16T07:01:00Z');
    expect(await morning()).toHaveLength(1);
    expect(await own()).toMatchObject({ error_code: null, sent_day: '2026-03-16' });
  });
});

it('is given up until the next when every worker that began it has died', async () => {
  await subscribe(database.db, orgId, 'ops@example.com', { ...weekly, now });
  await sql`update digest_subscription set tries = 5`.execute(database.db);
  at(MONDAY);
  expect(await morning()).toEqual([]);
  expect(await own()).toMatchObject({ error_code: 'interrupted', tries: 0, hand: null, due_day: '2026-03-16' });
});

it('a viewer gets no events; a removed member, or one of a suspended organization, gets nothing', async () => {
  await addUser(database.db, orgId, { email: 'viewer@example.com', role: 'viewer' });
  await givenEvent(database, orgId, {
    type: 'domain_discovered',
    title: 'Secret event',
    createdAt: new Date('2026-03-05T00:00:00Z'),
  });
  await subscribe(database.db, orgId, 'viewer@example.com', { ...weekly, now });
  at(MONDAY);
  const [received] = await morning();
  expect(received!.text).not.toContain('Secret event');
  await sql`update organization set suspended_at = now() where id = ${orgId}`.execute(database.db);
  at('2026-03-16T07:01:00Z');
  expect(await morning()).toEqual([]);
  await sql`update organization set suspended_at = null where id = ${orgId}`.execute(database.db);
  await removeUser(database.db, orgId, 'viewer@example.com');
  expect(await morning()).toEqual([]);
  expect(await subscribe(database.db, orgId, 'viewer@example.com', { ...weekly, now })).toBe(false);
});

it('a member whose new role sees no figures gets no more of them, until the role changes back', async () => {
  await addUser(database.db, orgId, { email: 'ex@example.com', role: 'viewer' });
  await subscribe(database.db, orgId, 'ex@example.com', { ...weekly, now });
  const setRole = async (role: string) =>
    await sql`update app_user set role = ${role} where email = 'ex@example.com'`.execute(database.db);
  await setRole('integration');
  at(MONDAY);
  expect(await morning()).toEqual([]);
  expect(await own()).toMatchObject({ email: 'ex@example.com', error_code: 'not_allowed', due_day: '2026-03-16' });
  await setRole('analyst');
  at('2026-03-16T07:01:00Z');
  expect(await morning()).toHaveLength(1);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addUser, createOrganization, planDigests, planNotifications, subscribe } from '@dmarc-ledger/ledger';
import { openMailer, type DnsClient } from '@dmarc-ledger/lookups';
import { cloneDatabase, smtpHost, travellingClock, type ClonedDatabase, type SmtpHost } from '@dmarc-ledger/testkit';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openNotifier, sendDigest, sendNotification, type Notifier } from '../src/index.ts';
import { givenEvent, givenTarget, logOf } from './notifications/given.ts';

const PLAN = { eventsAtOnce: 100, inHandOfTarget: 2, lostAfterSeconds: 120 };
const MINUTE_MS = 60_000;
/** For a mail in all, and beyond that for the answer to a whole one. */
const TIMES = { totalMs: 2_000, answerMs: 10 * MINUTE_MS };
const noDns = {} as DnsClient; // no webhook is sent here

let mail: SmtpHost;
let notifier: Notifier;
let database: ClonedDatabase;
let setClock: (instant: Date) => void;
let now: Date;
let orgId: string;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'late-answers-'));
  const made = await makeCertificate(folder);
  const file = (path: string) => readFileSync(path, 'utf8');
  mail = await smtpHost({ certificate: file(made.certificate), key: file(made.key) });
  const url = `smtp://localhost:${mail.port}`;
  const mailer = openMailer({ url, from: 'ledger@ledger.example', ca: made.ca, ...TIMES });
  notifier = openNotifier({ webhooks: { client: noDns }, mailer });
  rmSync(folder, { recursive: true });
  database = await cloneDatabase();
  ({ set: setClock } = travellingClock(database));
  at(new Date('2026-03-04T12:00:00Z'));
  ({ id: orgId } = await createOrganization(database.db, { name: 'Harbor' }));
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

function at(instant: Date): void {
  now = instant;
  setClock(now);
}

/** The payloads of announced jobs, which the relay takes out of the outbox. */
async function announced<Payload>(job: string): Promise<Payload[]> {
  const taken = await database.pool.query<{ payload: Payload }>('delete from outbox where job = $1 returning payload', [
    job,
  ]);
  return taken.rows.map(({ payload }) => payload);
}

/** Waits until a try is held for longer than it usually is, and goes to the end of the usual time. */
async function passUsualTime(table: string): Promise<void> {
  const isHeld = async () => {
    const { rows } = await database.pool.query(
      `select 1 from ${table} where hand = 'begun' and due_at > $1::timestamptz + interval '10 minutes'`,
      [now],
    );
    expect(rows).toHaveLength(1);
  };
  await vi.waitFor(isHeld, { timeout: 30_000 });
  at(new Date(now.getTime() + 6 * MINUTE_MS));
}

describe('a mail server that takes the whole mail and answers after minutes', () => {
  it('gets a digest once', async () => {
    await addUser(database.db, orgId, { email: 'ops@example.com', role: 'owner' });
    await subscribe(database.db, orgId, 'ops@example.com', { frequency: 'weekly', domains: [], now });
    at(new Date('2026-03-09T07:00:30Z')); // a Monday
    const answer = mail.holdAnswers();
    await planDigests(database);
    const [key] = await announced<{ orgId: string; userId: string }>('sendDigest');
    const sent = sendDigest({ database, notifier, now: () => now }, key!);
    await passUsualTime('digest_subscription');
    expect(await planDigests(database)).toBe(0);
    answer();
    await sent;
    expect(mail.taken).toHaveLength(1);
    const { rows } = await database.pool.query('select sent_day::text, tries, hand from digest_subscription');
    expect(rows).toEqual([{ sent_day: '2026-03-09', tries: 0, hand: null }]);
  });

  it('gets the mail about an event once', async () => {
    const { id } = await givenTarget(database, orgId, 'ops@example.com');
    await givenEvent(database, orgId);
    const answer = mail.holdAnswers();
    await planNotifications(database, PLAN);
    const [payload] = await announced<{ orgId: string; deliveryId: string }>('deliverEvent');
    const sent = sendNotification({ database, notifier }, { orgId, notificationId: payload!.deliveryId });
    await passUsualTime('event_delivery');
    expect(await planNotifications(database, PLAN)).toBe(0);
    answer();
    await sent;
    expect(mail.taken).toHaveLength(1);
    expect(await logOf(database, id)).toMatchObject([{ state: 'delivered', tries: 1, status: 250 }]);
  });
});

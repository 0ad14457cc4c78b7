import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOrganization } from '@dmarc-ledger/ledger';
import { openMailer } from '@dmarc-ledger/lookups';
import { cloneDatabase, redisServer, smtpHost, webhookReceiver, type WebhookReceiver } from '@dmarc-ledger/testkit';
import { makeCertificate } from '@dmarc-ledger/testkit/private-ca';
import { idText } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runNotificationPlan, type NotifierNeeds } from '../src/index.ts';
import { notifierTo, givenEvent, givenTarget, logOf } from './notifications/given.ts';
import type { WorkerOrder } from './notifications/worker-process.ts';
import { openLedger, type BackendName, type Ledger } from './ledger.ts';

const PROGRAM = fileURLToPath(new URL('notifications/worker-process.ts', import.meta.url));
const PLAN = { eventsAtOnce: 100, inHandOfTarget: 2, lostAfterSeconds: 60 };
const patient = { timeout: 60_000, interval: 30 };

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await webhookReceiver();
});
afterAll(() => receiver[Symbol.asyncDispose]());

/** The write side with a planner, and a notifier that tries again at once. */
async function openNotifying(backend: BackendName, needs: Partial<NotifierNeeds> = {}): Promise<Ledger> {
  const notifier = notifierTo(receiver, needs);
  const retryAfterSeconds = Array.from({ length: 1_000 }, () => 0);
  const ledger = await openLedger(backend, () => ({ notifying: { notifier, retryAfterSeconds } }));
  const ending = new AbortController();
  const onFault = (message: string, error: unknown) => void ledger.faults.push(`${message} ${String(error)}`);
  const planning = runNotificationPlan({ database: ledger.database, plan: PLAN, everyMs: 100, onFault }, ending.signal);
  return {
    ...ledger,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await planning;
      await ledger[Symbol.asyncDispose]();
    },
  };
}

describe.each(['Postgres', 'Redis'] as const)('with the queue on %s', (backend) => {
  it('an event arrives at once where that works, later where the receiver was down, and a slow one delays no other', async () => {
    await using ledger = await openNotifying(backend);
    const { database, orgId } = ledger;
    const path = `/slow-${backend}`;
    receiver.answers[path] = ['silence'];
    const slow = await givenTarget(database, orgId, receiver.url(path));
    for (let i = 0; i < 10; i += 1) await givenEvent(database, orgId);
    await vi.waitFor(() => expect(receivedAt(path)).toHaveLength(2), patient);
    const quick = await givenTarget(database, orgId, receiver.url(`/quick-${backend}`));
    await givenEvent(database, orgId);
    await vi.waitFor(async () => expect(await states(database, quick.id)).toEqual(['delivered']), patient);
    expect(receivedAt(`/quick-${backend}`)).toHaveLength(1);
    expect(await states(database, slow.id)).not.toContain('delivered');
    delete receiver.answers[path];

    await receiver.stop();
    await givenEvent(database, orgId);
    await vi.waitFor(async () => expect(await logOf(database, quick.id)).toMatchObject([{}, refused]), patient);
    await receiver.start();
    await vi.waitFor(async () => expect(await states(database, quick.id)).toEqual(['delivered', 'delivered']), patient);
    expect(ledger.faults).toEqual([]);
  });

  it('an event is mailed to all of a target, once', async () => {
    await using mail = await openMail();
    await using ledger = await openNotifying(backend, { mailer: mail.mailer });
    const { database, orgId } = ledger;
    const target = await givenTarget(database, orgId, 'a@shop.example,b@shop.example');
    const hostile = 'Source: evil\r\nBcc: victim@shop.example';
    const id = await givenEvent(database, orgId, { title: hostile, message: 'Two\u202E lines.\nHere.' });
    await vi.waitFor(async () => expect(await states(database, target.id)).toEqual(['delivered']), patient);
    const [one, ...more] = mail.taken;
    expect(more).toEqual([]);
    expect(one!.to).toEqual(['a@shop.example', 'b@shop.example']);
    const messageId = `<${idText(id)}.${idText(target.id)}@ledger.example>`.toLowerCase();
    const decoded = one!.text.replaceAll('=\r\n', '').replaceAll('=3D', '='); // quoted-printable
    const lines = decoded.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `Message-ID: ${messageId}`,
        'Subject: Source: evil Bcc: victim@shop.example',
        'Source: evil Bcc: victim@shop.example',
        'Two  lines. Here.',
        'Severity: Critical',
        expect.stringMatching(/^Organization: ./),
        `Details: https://app.ledger.example/domains/shop.example/dns/dmarc?org=${idText(orgId)}`,
      ]),
    );
  });

  it('a worker that is killed in the middle of sending loses no event, and the log has each sent once', async () => {
    await using database = await cloneDatabase();
    await using redis = backend === 'Redis' ? await runningRedis() : undefined;
    const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
    const path = `/killed-${backend}`;
    receiver.answers[path] = ['silence', 'silence', 200];
    const { id } = await givenTarget(database, orgId, receiver.url(path));
    const events = await Promise.all(Array.from({ length: 6 }, () => givenEvent(database, orgId)));
    const order: WorkerOrder = { databaseUrl: database.url, redisUrl: redis?.url, dns: receiver.dns, ca: receiver.ca };
    const first = start(order);
    await vi.waitFor(() => expect(receivedAt(path)).toHaveLength(2), patient);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = start(order);
    await vi.waitFor(async () => expect(await states(database, id)).toEqual(events.map(() => 'delivered')), patient);
    second.kill('SIGKILL');
    await once(second, 'exit');
    const log = await logOf(database, id);
    const sent = receivedAt(path).map(({ headers }) => headers['webhook-id']!);
    expect([...new Set(sent)].toSorted()).toEqual(log.map((row) => idText(row.id)).toSorted());
    expect(sent.length).toBeGreaterThanOrEqual(events.length + 2);
    expect(log.filter(({ tries }) => tries > 1).length).toBeGreaterThanOrEqual(2);
  });
});

const refused = { state: expect.stringMatching(/failed|waiting/), code: expect.stringMatching(/refused|reset/) };

const receivedAt = (path: string) => receiver.received.filter((hook) => hook.path === path);

async function states(database: Parameters<typeof logOf>[0], targetId: string): Promise<string[]> {
  return (await logOf(database, targetId)).map(({ state }) => state);
}

function start(order: WorkerOrder): ChildProcess {
  return fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function runningRedis() {
  const server = await redisServer();
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop() };
}

async function openMail() {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-test-mail-'));
  const made = await makeCertificate(folder);
  const file = (path: string) => readFileSync(path, 'utf8');
  const host = await smtpHost({ certificate: file(made.certificate), key: file(made.key) });
  rmSync(folder, { recursive: true, force: true });
  const url = `smtp://localhost:${host.port}`;
  return { ...host, mailer: openMailer({ url, from: 'ledger@ledger.example', ca: made.ca }) };
}

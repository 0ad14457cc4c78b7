import { randomUUID } from 'node:crypto';
import {
  createOrganization,
  findNotificationBacklog,
  findNotifications,
  planNotifications,
  raiseEvents,
  removeTarget,
  setOrganization,
} from '@dmarc-ledger/ledger';
import {
  cloneDatabase,
  travellingClock,
  webhookReceiver,
  type ClonedDatabase,
  type WebhookReceiver,
} from '@dmarc-ledger/testkit';
import { transact } from '@dmarc-ledger/schema';
import { holding, type Holding } from '@dmarc-ledger/scoring';
import { alertTypes, idText } from '@dmarc-ledger/vocabulary';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendNotification, type Notifier, type NotificationNeeds } from '../src/index.ts';
import { notifierTo, givenEvent, givenTarget, logOf, targetAt } from './notifications/given.ts';

const PLAN = { eventsAtOnce: 100, inHandOfTarget: 2, lostAfterSeconds: 120 };
const HOUR_MS = 3_600_000;

let database: ClonedDatabase;
let receiver: WebhookReceiver;
let notifier: Notifier;
let orgId: string;
let orgName: string;
let passed: number;
let setClock: (instant: Date | undefined) => void;

beforeAll(async () => {
  receiver = await webhookReceiver();
  notifier = notifierTo(receiver);
  database = await cloneDatabase();
  ({ set: setClock } = travellingClock(database));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const table of ['outbox', 'event_delivery', 'event', 'delivery_target'])
    await database.pool.query(`delete from ${table}`);
  passed = 0;
  setClock(undefined);
  ({ id: orgId, name: orgName } = await createOrganization(database.db, { name: randomUUID() }));
});

function pass(ms: number): void {
  passed += ms;
  setClock(new Date(Date.now() + passed));
}

const plan = () => planNotifications(database, PLAN);

/** Takes the announced jobs out of the outbox, as the relay does, and runs them one after the other. */
async function doAnnounced(needs: Partial<NotificationNeeds> = {}): Promise<number> {
  const { rows } = await database.pool.query<{ payload: { orgId: string; deliveryId: string } }>(
    `delete from outbox where job = 'deliverEvent' returning payload`,
  );
  for (const { orgId, deliveryId } of rows.map(({ payload }) => payload))
    await sendNotification({ database, notifier, ...needs }, { orgId, notificationId: deliveryId });
  return rows.length;
}

/** Plans and delivers what is due until nothing is. */
async function deliverDue(needs: Partial<NotificationNeeds> = {}): Promise<void> {
  while ((await plan()) + (await doAnnounced(needs)) > 0);
}

const at = (path: string) => receiver.url(path);
const receivedAt = (path: string) => receiver.received.filter((hook) => hook.path === path);

it('an event that becomes graver reaches then those who ask for grave ones alone, and no target twice', async () => {
  const held = holding('compliance_drop', { domain: 'shop.example', severity: 'warning' });
  const raise = (condition: Holding) => transact(database, (session) => raiseEvents(session, orgId, [condition]));
  await givenTarget(database, orgId, at('/every'));
  await givenTarget(database, orgId, at('/grave'), { least: 'critical' });
  await raise(held);
  await deliverDue();
  const received = () => ['/every', '/grave'].map((path) => receivedAt(path).length);
  expect(received()).toEqual([1, 0]);
  for (const _ of [1, 2]) {
    await raise({ ...held, severity: 'critical' });
    await deliverDue();
    expect(received()).toEqual([1, 1]);
  }
});

describe('a target that is added after a warning was raised', () => {
  const held = holding('compliance_drop', { domain: 'shop.example', severity: 'warning' });
  const raise = (condition: Holding) => transact(database, (session) => raiseEvents(session, orgId, [condition]));

  it.each([
    ['again, gets the event when it becomes critical', '/later-again', true],
    ['for the first time, gets it then too', '/later-first', false],
  ])('%s', async (_, path, isKnown) => {
    if (isKnown) await givenTarget(database, orgId, at(path), { least: 'critical' });
    await raise(held);
    await deliverDue();
    pass(24 * HOUR_MS);
    await givenTarget(database, orgId, at(path), { least: 'critical' });
    pass(24 * HOUR_MS);
    await raise({ ...held, severity: 'critical' });
    await deliverDue();
    expect(receivedAt(path)).toHaveLength(1);
  });

  it('gets it when it comes back graver, and not when it comes back as it was', async () => {
    const over = { ...held, state: 'over' as const };
    await raise(held);
    await deliverDue();
    pass(HOUR_MS);
    await givenTarget(database, orgId, at('/returned'));
    for (const [severity, received] of [
      ['warning', 0],
      ['critical', 1],
    ] as const) {
      await transact(database, (session) => raiseEvents(session, orgId, [over]));
      pass(HOUR_MS);
      await raise({ ...held, severity });
      await deliverDue();
      expect(receivedAt('/returned')).toHaveLength(received);
    }
  });

  it('again, gets what was raised before and was not planned yet', async () => {
    await givenTarget(database, orgId, at('/rotated'));
    pass(HOUR_MS);
    await raise({ ...held, severity: 'critical' });
    pass(HOUR_MS);
    await givenTarget(database, orgId, at('/rotated'));
    await deliverDue();
    expect(receivedAt('/rotated')).toHaveLength(1);
  });
});

it('of a suspended organization nothing goes out, and what waited does once it is resumed', async () => {
  const suspend = (suspended: boolean) => setOrganization(database, orgId, { suspended });
  const { id: targetId } = await givenTarget(database, orgId, at('/suspended'));
  const later = new Date(Date.now() + 1_000);
  await givenEvent(database, orgId, { title: 'Begun', createdAt: later });
  await plan(); // announced, and suspended before its worker begins
  await suspend(true);
  await doAnnounced();
  await givenEvent(database, orgId, { title: 'Raised meanwhile', createdAt: later });
  pass(HOUR_MS);
  await deliverDue();
  expect(receivedAt('/suspended')).toEqual([]);
  expect(await logOf(database, targetId)).toMatchObject([
    { state: 'waiting', tries: 0 },
    { state: 'waiting', tries: 0 },
  ]);
  expect(await findNotificationBacklog(database.db)).toEqual({ count: 0, oldestSeconds: 0 });
  await suspend(false);
  expect(await findNotificationBacklog(database.db)).toMatchObject({ count: 2 });
  await deliverDue();
  expect(receivedAt('/suspended').map(({ body }) => (JSON.parse(body) as { title: string }).title)).toEqual([
    'Begun',
    'Raised meanwhile',
  ]);
  expect(await logOf(database, targetId)).toMatchObject([{ state: 'delivered', tries: 1 }, { state: 'delivered' }]);
});

describe('an event', () => {
  it('is sent once to each target, signed, with the fields of the feed', async () => {
    const one = await givenTarget(database, orgId, at('/sent-one'));
    await givenTarget(database, orgId, at('/sent-two'));
    const id = await givenEvent(database, orgId, { createdAt: new Date(Date.now() + 1_000) });
    await deliverDue();
    await deliverDue();
    expect(receivedAt('/sent-two')).toHaveLength(1);
    const [hook, ...more] = receivedAt('/sent-one');
    expect(more).toEqual([]);
    expect(new Webhook(one.secret).verify(hook!.body, hook!.headers)).toEqual({
      id: idText(id),
      type: 'dmarc_record_missing',
      type_label: 'DMARC record removed',
      severity: 'critical',
      title: 'DMARC record removed for shop.example',
      message: 'There is no DMARC record any more.',
      domain: 'shop.example',
      link: `https://app.ledger.example/domains/shop.example/dns/dmarc?org=${idText(orgId)}`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      organization_id: idText(orgId),
      organization_name: orgName,
    });
    const [log] = await logOf(database, one.id);
    expect(log).toEqual({ id: expect.any(String), state: 'delivered', tries: 1, status: 204, code: null });
    expect(hook!.headers['webhook-id']).toBe(idText(log!.id));
  });

  it('is sent as it was when it was planned, though its message has changed since', async () => {
    const { id: targetId } = await givenTarget(database, orgId, at('/merged'));
    await givenEvent(database, orgId, { message: 'One.' });
    await plan();
    await database.pool.query(`update event set message = 'One. and 3 more'`);
    await deliverDue();
    expect(receivedAt('/merged').map(({ body }) => JSON.parse(body).message)).toEqual(['One.']);
    expect(await logOf(database, targetId)).toHaveLength(1);
  });

  it('that was raised before the target existed is not sent', async () => {
    await givenEvent(database, orgId);
    const { id } = await givenTarget(database, orgId, at('/later'));
    await givenEvent(database, orgId, { createdAt: new Date(Date.now() - 3_600_000) });
    await deliverDue();
    expect(await logOf(database, id)).toEqual([]);
  });

  it('of another organization is not sent', async () => {
    const { id: other } = await createOrganization(database.db, { name: randomUUID() });
    const { id } = await givenTarget(database, other, at('/other'));
    await givenEvent(database, orgId);
    await deliverDue();
    expect(await logOf(database, id)).toEqual([]);
  });

  it('is sent when its type can be delivered, and otherwise not', async () => {
    const { id } = await givenTarget(database, orgId, at('/types'));
    for (const { code } of alertTypes) await givenEvent(database, orgId, { type: code });
    await plan();
    const { rows } = await database.pool.query<{ type: string }>(
      'select e.type from event_delivery d join event e on e.id = d.event_id where target_id = $1',
      [id],
    );
    const deliverable = alertTypes.filter((type) => type.deliverable).map(({ code }) => code);
    expect(rows.map(({ type }) => type).toSorted()).toEqual(deliverable.toSorted());
  });

  it.each([
    ['a type that was not asked for', { types: ['tls_failures'] }, {}, 0],
    ['a type that was', { types: ['tls_failures', 'dmarc_record_missing'] }, {}, 1],
    ['too small a severity', { least: 'critical' as const }, { severity: 'warning' as const }, 0],
    ['just the severity', { least: 'warning' as const }, { severity: 'warning' as const }, 1],
    ['more than the severity', { least: 'info' as const }, { severity: 'critical' as const }, 1],
  ])('of %s', async (_, target, event, notifications) => {
    const { id } = await givenTarget(database, orgId, at('/chosen'), target);
    await givenEvent(database, orgId, event);
    await plan();
    expect(await logOf(database, id)).toHaveLength(notifications);
  });

  it('is planned once, however many plan at the same time, and while events come', async () => {
    const targets = await Promise.all(
      Array.from({ length: 3 }, (_, i) => givenTarget(database, orgId, at(`/many-${i}`))),
    );
    const raised: Promise<string>[] = [];
    const planner = async () => {
      for (let i = 0; i < 20; i += 1) {
        raised.push(givenEvent(database, orgId));
        await planNotifications(database, { ...PLAN, eventsAtOnce: 3 });
      }
    };
    await Promise.all(Array.from({ length: 6 }, planner));
    await Promise.all(raised);
    while ((await plan()) > 0);
    for (const { id } of targets) expect(await logOf(database, id)).toHaveLength(120);
  });
});

describe('a receiver that fails', () => {
  it('is tried again over a day, and then given up', async () => {
    receiver.answers['/failing'] = [500];
    const { id } = await givenTarget(database, orgId, at('/failing'));
    await givenEvent(database, orgId);
    const waits: number[] = [];
    for (;;) {
      await deliverDue();
      const { rows } = await database.pool.query<{ state: string; seconds: number }>(
        'select state, extract(epoch from due_at - tried_at)::float8 as seconds from event_delivery',
      );
      const [{ state, seconds }] = rows as [{ state: string; seconds: number }];
      if (state !== 'failed') break;
      waits.push(Math.floor(seconds / 10) * 10);
      pass(seconds * 1_000 + 1_000);
    }
    expect(waits).toEqual([60, 300, 1_800, 7_200, 21_600, 43_200]);
    expect(await logOf(database, id)).toMatchObject([{ state: 'given_up', tries: 7, status: 500, code: 'status' }]);
    const ids = receivedAt('/failing').map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(1);
  });

  it('and asks to be left alone for longer is, but not for longer than half a day', async () => {
    const waits = [];
    for (const [i, retryAfter] of ['7200', '3', '99999999', 'soon'].entries()) {
      receiver.answers[`/asking-${i}`] = [{ status: 503, retryAfter }];
      await givenTarget(database, orgId, at(`/asking-${i}`));
    }
    await givenEvent(database, orgId);
    await deliverDue();
    const { rows } = await database.pool.query<{ seconds: number }>(
      `select extract(epoch from due_at - tried_at)::float8 as seconds from event_delivery d
       join delivery_target t on t.id = d.target_id where t.address like '%/asking-%' order by t.address`,
    );
    for (const { seconds } of rows) waits.push(Math.floor(seconds / 10) * 10);
    expect(waits).toEqual([7_200, 60, 43_200, 60]);
  });

  it('and answers 200 then has the event, once', async () => {
    receiver.answers['/mended'] = [500, { status: 302, location: at('/elsewhere') }, 200];
    const { id } = await givenTarget(database, orgId, at('/mended'));
    await givenEvent(database, orgId);
    await deliverDue();
    expect(await logOf(database, id)).toMatchObject([{ state: 'failed', status: 500, code: 'status' }]);
    pass(HOUR_MS);
    await deliverDue();
    expect(await logOf(database, id)).toMatchObject([{ state: 'failed', status: 302, code: 'redirect' }]);
    pass(HOUR_MS);
    await deliverDue();
    pass(24 * HOUR_MS);
    await deliverDue();
    expect(await logOf(database, id)).toMatchObject([{ state: 'delivered', tries: 3, status: 200, code: null }]);
    expect(receivedAt('/mended')).toHaveLength(3);
    expect(receivedAt('/elsewhere')).toEqual([]);
  });

  it('with 410 is switched off, with all that waits for it, until it is added again', async () => {
    receiver.answers['/gone'] = [410];
    const { id } = await givenTarget(database, orgId, at('/gone'));
    for (let i = 0; i < 4; i += 1) await givenEvent(database, orgId);
    await deliverDue();
    expect(await targetAt(database, id)).toMatchObject({ enabled: false, disabled_code: 'gone' });
    const log = await logOf(database, id);
    expect(log.map(({ state }) => state)).toEqual(['given_up', 'given_up', 'given_up', 'given_up']);
    expect(new Set(log.map(({ code }) => code))).toEqual(new Set(['gone', 'target_disabled']));
    await givenEvent(database, orgId);
    await deliverDue();
    expect(await logOf(database, id)).toHaveLength(4);
    receiver.answers['/gone'] = [200];
    expect((await givenTarget(database, orgId, at('/gone'))).id).toBe(id);
    await givenEvent(database, orgId);
    await deliverDue();
    expect((await logOf(database, id)).map(({ state }) => state)).toEqual([...Array(4).fill('given_up'), 'delivered']);
  });

  it('with 410 stays on when it is added again before the answer is there', async () => {
    receiver.answers['/back'] = [410];
    const { id } = await givenTarget(database, orgId, at('/back'));
    await givenEvent(database, orgId);
    await givenEvent(database, orgId);
    const notify: Notifier['notify'] = async (...asked) => {
      const answer = await notifier.notify(...asked);
      receiver.answers['/back'] = [200];
      expect((await givenTarget(database, orgId, at('/back'))).id).toBe(id);
      return answer;
    };
    await deliverDue({ notifier: { ...notifier, notify } });
    expect(await targetAt(database, id)).toMatchObject({ enabled: true, disabled_code: null });
    const log = await logOf(database, id);
    expect(log.map(({ state }) => state)).toEqual(expect.arrayContaining(['delivered', 'failed']));
    pass(HOUR_MS);
    await deliverDue();
    expect((await logOf(database, id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  });

  it.each([
    ['http://hooks.receiver.test/x', 'host_forbidden'],
    ['https://127.0.0.1/x', 'host_forbidden'],
    ['https://none.receiver.test/x', 'no_host'],
  ])('because it is %s is not connected to', async (url, code) => {
    const before = receiver.connections();
    const { id } = await givenTarget(database, orgId, url);
    await givenEvent(database, orgId);
    await deliverDue();
    expect(await logOf(database, id)).toMatchObject([{ state: 'failed', status: null, code }]);
    expect(receiver.connections()).toBe(before);
  });

  it('for mail, when there is no mail server, says so', async () => {
    const { id } = await givenTarget(database, orgId, 'a@shop.example');
    await givenEvent(database, orgId);
    await deliverDue();
    expect(await logOf(database, id)).toMatchObject([{ state: 'failed', code: 'email_not_configured' }]);
  });

  it.each([
    ['secret_key_missing', { secrets: undefined }],
    ['secret_damaged', {}],
  ])('because its secret cannot be opened says %s', async (code, needs) => {
    const { id } = await givenTarget(database, orgId, at('/sealed'));
    if (code === 'secret_damaged') {
      const other = await givenTarget(database, orgId, at('/sealed-other'));
      await database.pool.query(
        'update delivery_target t set secret = o.secret from delivery_target o where t.id = $1 and o.id = $2',
        [id, other.id],
      );
    }
    await givenEvent(database, orgId);
    await deliverDue({ notifier: notifierTo(receiver, needs) });
    expect(await logOf(database, id)).toMatchObject([{ state: 'failed', code }]);
    expect(receivedAt('/sealed')).toEqual([]);
  });
});

describe('a job', () => {
  it('that comes twice sends once', async () => {
    await givenTarget(database, orgId, at('/twice'));
    await givenEvent(database, orgId);
    await plan();
    await database.pool.query(`insert into outbox (id, org_id, job, payload)
      select gen_random_uuid(), org_id, job, payload from outbox`);
    expect(await doAnnounced()).toBe(2);
    expect(receivedAt('/twice')).toHaveLength(1);
  });

  it('that was lost is announced again', async () => {
    const { id } = await givenTarget(database, orgId, at('/lost'));
    await givenEvent(database, orgId);
    await plan();
    await database.pool.query('delete from outbox');
    expect(await plan()).toBe(0);
    pass(121_000);
    await deliverDue();
    expect(await logOf(database, id)).toMatchObject([{ state: 'delivered', tries: 1 }]);
  });

  it('whose worker was taken for dead keeps nothing of a try that another has begun since', async () => {
    const { id } = await givenTarget(database, orgId, at('/dead'));
    await givenEvent(database, orgId);
    await plan();
    const slow: Notifier = {
      ...notifier,
      async notify() {
        pass(61_000);
        await database.pool.query('delete from outbox');
        await deliverDue();
        return { isDelivered: false, status: 500, code: 'status' };
      },
    };
    await doAnnounced({ notifier: slow });
    expect(await logOf(database, id)).toMatchObject([{ state: 'delivered', tries: 2, status: 204 }]);
  });

  it('that kills every worker is given up', async () => {
    const { id } = await givenTarget(database, orgId, at('/killer'));
    await givenEvent(database, orgId);
    const dying: Notifier = { ...notifier, notify: () => Promise.reject(new Error('killed')) };
    for (let i = 0; i < 8; i += 1) {
      await plan();
      await doAnnounced({ notifier: dying }).catch(() => {});
      pass(121_000);
    }
    expect(await logOf(database, id)).toMatchObject([{ state: 'given_up', tries: 8, code: 'interrupted' }]);
  });

  it('is of few notifications of a target at a time, and others are not behind them', async () => {
    const slow = await givenTarget(database, orgId, at('/slow'));
    for (let i = 0; i < 50; i += 1) await givenEvent(database, orgId);
    await plan();
    const { id: other } = await createOrganization(database.db, { name: randomUUID() });
    await givenTarget(database, other, at('/quick'));
    await givenEvent(database, other);
    await plan();
    const { rows } = await database.pool.query(
      `select target_id = $1 as slow, count(*) from event_delivery where hand = 'announced' group by 1 order by 1`,
      [slow.id],
    );
    expect(rows).toEqual([
      { slow: false, count: 1 },
      { slow: true, count: 2 },
    ]);
    await deliverDue();
    expect(receivedAt('/slow')).toHaveLength(50);
  });
});

describe('a target', () => {
  it('that is removed is sent nothing more; its log stays, its secret does not', async () => {
    const { id } = await givenTarget(database, orgId, at('/removed'));
    await givenEvent(database, orgId);
    await plan();
    await removeTarget(database, { orgId, targetId: id });
    await doAnnounced();
    await givenEvent(database, orgId);
    await deliverDue();
    expect(receivedAt('/removed')).toEqual([]);
    expect(await targetAt(database, id)).toBeUndefined();
    expect(await findNotifications(database.db, { orgId, targetId: id }, 10)).toMatchObject([
      { state: 'given_up', error_code: 'target_removed', type: 'dmarc_record_missing' },
    ]);
    const { rows } = await database.pool.query('select secret from delivery_target');
    expect(rows).toEqual([{ secret: null }]);
  });

  it('that is added again is described anew, with another secret', async () => {
    const first = await givenTarget(database, orgId, at('/again'));
    const second = await givenTarget(database, orgId, at('/again'), { least: 'critical' });
    expect(second.id).toBe(first.id);
    await givenEvent(database, orgId);
    await deliverDue();
    const [{ body, headers }] = receivedAt('/again') as [(typeof receiver.received)[number]];
    expect(() => new Webhook(first.secret).verify(body, headers)).toThrow('No matching signature');
    expect(new Webhook(second.secret).verify(body, headers)).toBeTruthy();
  });

  it('of another organization may be at the same place', async () => {
    const { id: other } = await createOrganization(database.db, { name: randomUUID() });
    const one = await givenTarget(database, orgId, at('/shared'));
    const two = await givenTarget(database, other, at('/shared'));
    expect(one.id).not.toBe(two.id);
  });
});

it('how much waits, and for how long, is known', async () => {
  expect(await findNotificationBacklog(database.db)).toEqual({ count: 0, oldestSeconds: 0 });
  await givenTarget(database, orgId, at('/backlog'));
  await givenEvent(database, orgId);
  await plan();
  await database.pool.query(`update event_delivery set planned_at = now() - interval '1 hour'`);
  const { count, oldestSeconds } = await findNotificationBacklog(database.db);
  expect([count, Math.floor(oldestSeconds / 60)]).toEqual([1, 60]);
  await deliverDue();
  expect((await findNotificationBacklog(database.db)).count).toBe(0);
});

it('neither secrets nor addresses are in what is announced', async () => {
  const { secret } = await givenTarget(database, orgId, at('/quiet?token=abc'));
  await givenEvent(database, orgId);
  await plan();
  const { rows } = await database.pool.query<{ payload: object }>('select payload from outbox');
  expect(rows.map(({ payload }) => Object.keys(payload).toSorted())).toEqual([['deliveryId', 'orgId']]);
  const { rows: targets } = await database.pool.query<{ secret: Buffer }>('select secret from delivery_target');
  expect(targets[0]!.secret.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false);
  expect(targets[0]!.secret.includes(Buffer.from(secret))).toBe(false);
});

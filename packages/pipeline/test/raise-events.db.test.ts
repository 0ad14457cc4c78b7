import { acknowledgeEvent, BURST, createOrganization, keepConditions, raiseEvents } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { holding, over, type Judgement } from '@dmarc-ledger/scoring';
import { cloneDatabase, travellingClock, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let database: ClonedDatabase;
let orgId: string;
let itIs: (instant: string) => void;

beforeEach(async () => {
  database = await cloneDatabase();
  const { set } = travellingClock(database);
  itIs = (instant) => set(new Date(`2026-03-${instant}:00Z`));
  itIs('01T12:00');
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
});
afterEach(() => database[Symbol.asyncDispose]());

const domain = 'example.com';
const raise = (...judgements: Judgement[]) => transact(database, (session) => raiseEvents(session, orgId, judgements));

async function events() {
  const { rows } = await database.pool.query<{
    id: string;
    key: string;
    severity: string;
    message: string;
    open: boolean;
    seen: boolean;
  }>(`
    select id, dedup_key as key, severity, message, resolved_at is null as open, acknowledged_at is not null as seen
    from event order by created_at, dedup_key, id`); // what was raised together has one instant
  return rows;
}
const opens = async () => (await events()).map(({ open }) => open);

describe('a condition', () => {
  it('that ends and comes back within a day is the same event, after a day another', async () => {
    const held = holding('dmarc_record_missing', { domain, protocol: 'dmarc' });
    await raise(held);
    await raise(over('dmarc_record_missing', domain));
    expect(await opens()).toEqual([false]);
    itIs('02T11:59');
    await raise(held);
    expect(await opens()).toEqual([true]);
    await raise(over('dmarc_record_missing', domain));
    itIs('03T11:59');
    await raise(held);
    expect(await opens()).toEqual([false, true]);
  });

  it('that comes back within a day says what is wrong now, and how grave it is', async () => {
    const held = holding('mta_sts_broken', { domain, message: 'Before.' });
    await raise(held);
    await raise(over('mta_sts_broken', domain));
    itIs('01T17:00');
    await raise({ ...held, severity: 'critical', message: 'Now.' });
    expect(await events()).toMatchObject([{ severity: 'critical', message: 'Now.', open: true }]);
    await raise({ ...held, severity: 'critical', message: 'Later.' });
    expect(await events()).toMatchObject([{ message: 'Now.' }]);
  });

  it('that was acknowledged stays so, whether it ends, comes back, or grows worse', async () => {
    const held = holding('compliance_drop', { domain });
    await raise(held);
    const [event] = await events();
    await acknowledgeEvent(database.db, orgId, event!.id, 'me');
    await raise(over('compliance_drop', domain));
    await raise(held);
    await raise({ ...held, severity: 'critical', message: 'Worse.' });
    expect(await events()).toEqual([{ ...event, severity: 'critical', message: 'Worse.', open: true, seen: true }]);
    await raise(held);
    expect((await events())[0]?.severity).toBe('critical');
  });

  it('of so many days ends with them, and is raised again when it still holds', async () => {
    const held = holding('volume_drop', { domain });
    await raise(held);
    itIs('08T11:59');
    await raise(held);
    expect(await opens()).toEqual([true]);
    itIs('08T12:00');
    await raise(held);
    expect(await opens()).toEqual([false, true]);
  });

  it('of one day is raised once', async () => {
    const held = holding('failure_spike', { domain, parts: [domain, '2026-03-01'] });
    await raise(held);
    itIs('04T12:00');
    await raise(held);
    expect(await events()).toHaveLength(1);
  });

  it('of a change is raised at each change, and never for an earlier one', async () => {
    const held = holding('mx_changed', { domain, occurrence: '2026-03-02' });
    await raise(held);
    await raise(held);
    await raise({ ...held, occurrence: '2026-03-01' });
    expect(await events()).toHaveLength(1);
    await raise({ ...held, occurrence: '2026-03-03' });
    expect(await opens()).toEqual([false, true]);
  });

  it('that comes once is never raised again', async () => {
    const held = holding('first_report_received', { domain });
    await raise(held);
    await raise(over('first_report_received', domain));
    itIs('30T12:00');
    await raise(held);
    expect(await opens()).toEqual([true]);
  });

  it('is raised once by four concurrent evaluators, many times over', async () => {
    const held = Array.from({ length: 20 }, (_, i) =>
      holding('suspicious_source', { domain, ip: `192.0.2.${i}`, parts: [domain, `${i}`] }),
    );
    await Promise.all(
      [held, held.toReversed(), held, held.slice(5)].flatMap((some) => [raise(...some), raise(...some)]),
    );
    const keys = (await events()).map(({ key }) => key);
    expect(keys.toSorted()).toEqual(held.map(({ key }) => key).toSorted());
  });
});

describe('a burst', () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, i) =>
      holding('new_failing_source', { domain, parts: [domain, String(from + i).padStart(3, '0')], message: 'One.' }),
    );

  it('raises 25 events, the last of which counts the rest', async () => {
    await raise(...many(40));
    const all = await events();
    expect(all).toHaveLength(BURST);
    expect(all.filter(({ message }) => message !== 'One.')).toMatchObject([
      { message: 'One. 15 more like this.', key: `new_failing_source/${domain}/024` },
    ]);
    await raise(...many(2, 40), ...many(40));
    expect((await events()).filter(({ message }) => message !== 'One.')).toMatchObject([
      { message: 'One. 17 more like this.' },
    ]);
  });

  it('hides no graver event behind lesser ones of its type', async () => {
    const own = holding('new_failing_source', {
      domain,
      parts: [domain, 'sendgrid'],
      severity: 'critical',
      message: 'Own.',
    });
    await raise(...many(40), own);
    expect((await events()).filter(({ severity }) => severity === 'critical')).toMatchObject([
      { key: own.key, message: 'Own.' },
    ]);
    await raise({ ...own, key: `${own.key}2` });
    expect(await events()).toHaveLength(BURST + 2);
  });

  it('does not hide a condition that gets graver after it was merged into the event of another', async () => {
    const [own, ...others] = many(30).toReversed();
    await raise(...others, own!);
    await raise({ ...own!, severity: 'critical', message: 'Own.' });
    await raise({ ...own!, severity: 'critical', message: 'Later.' });
    expect((await events()).filter(({ key }) => key === own!.key)).toMatchObject([
      { severity: 'critical', message: 'Own.', open: true },
    ]);
    expect(await events()).toHaveLength(BURST + 1);
  });

  it('does not hide a condition that comes back after it was merged into the event of another', async () => {
    const ended = (name: string) => over('mta_sts_broken', `${name}.example`);
    const broken = (name: string) => holding('mta_sts_broken', { domain: `${name}.example`, message: 'Broken.' });
    const names = many(30).map((_, i) => `d${String(i).padStart(3, '0')}`);
    await raise(...names.map(broken));
    await raise(...names.map(ended));
    itIs('01T14:00');
    await raise(broken('d029'));
    await raise(ended('d029'));
    await raise(broken('d029'));
    expect((await events()).filter(({ open }) => open)).toMatchObject([
      { key: broken('d029').key, message: 'Broken.' },
    ]);
    expect(await events()).toHaveLength(BURST + 1);
  });

  it('is over after an hour, and is that of one type', async () => {
    await raise(...many(26), holding('compliance_drop', { domain }));
    expect(await events()).toHaveLength(BURST + 1);
    itIs('01T13:01');
    await raise(...many(1, 26));
    expect(await events()).toHaveLength(BURST + 2);
  });

  it('is counted exactly when four raise at once', async () => {
    const parts = [0, 1, 2, 3].map((part) => many(20, part * 20));
    await Promise.all(parts.flatMap((part) => [raise(...part), raise(...part)]));
    const all = await events();
    expect(all).toHaveLength(BURST);
    const more = all.map(({ message }) => Number(/ (\d+) more like this/.exec(message)?.[1] ?? 0));
    expect(more.reduce((sum, one) => sum + one, 0)).toBe(80 - BURST);
    const { rows } = await database.pool.query('select from event_condition c join event e on e.id = c.event_id');
    expect(rows).toHaveLength(80);
  });
});

it('lists what was raised at once about several days newest day first', async () => {
  const days = ['2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28'];
  await raise(...days.map((day) => holding('compliance_drop', { domain, parts: [domain, day] })));
  const { rows } = await database.pool.query<{ key: string }>(
    'select dedup_key as key from event order by created_at desc, id desc',
  );
  expect(rows.map(({ key }) => key.slice(-10))).toEqual(days.toReversed());
});

describe('a watch', () => {
  it('resolves what it finds no more, and leaves others alone', async () => {
    const conditions = [1, 2].map((i) => ({
      orgId,
      condition: holding('api_key_expiring', { domain: '', parts: [`k${i}`, '14'] }),
    }));
    await keepConditions(database, 'keys', async () => conditions);
    await keepConditions(database, 'others', async () => []);
    expect(await opens()).toEqual([true, true]);
    expect(await keepConditions(database, 'keys', async () => conditions.slice(1))).toEqual({ raised: 0, resolved: 1 });
    expect(await opens()).toEqual([false, true]);
  });
});

import { createKey, setOrganization, setPlan } from '@dmarc-ledger/ledger';
import { reportXml } from '@dmarc-ledger/testkit';
import type { Day } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lookAtOrganizations } from '../src/index.ts';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

let fixture: EventFixture;
let database: EventFixture['database'];
let orgId: string;

beforeEach(async () => {
  fixture = await openEventFixture();
  ({ database, orgId } = fixture);
  fixture.itIs('2026-03-01', 12, 30);
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function events() {
  await Promise.all([lookAtOrganizations(database), lookAtOrganizations(database)]);
  const { rows } = await database.pool.query<{ event: string }>(`
    select concat_ws(' ', type, severity, case when resolved_at is not null then 'resolved' end) as event
    from event order by created_at, dedup_key`);
  return rows.map(({ event }) => event);
}

it('a key that expires soon raises two events, and none when it is revoked', async () => {
  await createKey(database.db, orgId, { scope: 'read', expiresAt: new Date('2026-04-01T00:00:00Z') });
  expect(await events()).toEqual([]);
  fixture.itIs('2026-03-18');
  expect(await events()).toEqual(['api_key_expiring warning']);
  fixture.itIs('2026-03-29');
  expect(await events()).toEqual(['api_key_expiring warning resolved', 'api_key_expiring warning']);
  await database.pool.query('update api_key set revoked_at = now()');
  expect(await events()).toEqual(['api_key_expiring warning resolved', 'api_key_expiring warning resolved']);
});

it('a quota that is nearly used up raises an event in each hour, and becomes critical', async () => {
  await setPlan(database, { code: 'small', hourlyQuota: 100 });
  await setOrganization(database, orgId, { plan: 'small' });
  const { id: keyId } = await createKey(database.db, orgId, { scope: 'read' });
  expect(await events()).toEqual([]);
  const use = (hour: string, requests: number) =>
    database.pool.query(
      `insert into usage_hour as t (org_id, hour, key_id, requests, rejected, errors) values ($1, $2, $3, $4, 0, 0)
       on conflict (org_id, hour, key_id) do update set requests = t.requests + excluded.requests`,
      [orgId, hour, keyId, requests],
    );
  await use('2026-03-01T11:00:00Z', 100);
  await use('2026-03-01T12:00:00Z', 79);
  expect(await events()).toEqual([]);
  await use('2026-03-01T12:00:00Z', 1);
  expect(await events()).toEqual(['quota_near_limit warning']);
  await use('2026-03-01T12:00:00Z', 20);
  expect(await events()).toEqual(['quota_near_limit critical']);
  fixture.itIs('2026-03-01', 13);
  expect(await events()).toEqual(['quota_near_limit critical resolved']);
  await use('2026-03-01T13:00:00Z', 80);
  expect(await events()).toEqual(['quota_near_limit critical resolved', 'quota_near_limit warning']);
});

it('three deliveries that cannot be read raise an event, two do not', async () => {
  const broken = (n: number) => Buffer.from(`<feedback><report_metadata>${n}`);
  await fixture.handIn(broken(1), broken(2), reportXml({}));
  expect(await events()).toEqual([]);
  await fixture.handIn(broken(3));
  expect(await events()).toEqual(['report_parse_failed warning']);
  const [event] = await fixture.events();
  expect(event?.message).toBe('3 attachments received in the last 24 hours could not be read.');
});

it('deliveries that cannot be read day by day are one open event, and another after a week', async () => {
  let number = 0;
  const broken = () => Buffer.from(`<feedback><report_metadata>${(number += 1)}`);
  const arrive = async (day: Day) => {
    fixture.itIs(day, 10);
    await fixture.handIn(broken(), broken(), broken());
    return await events();
  };
  /** A day later, by the clock that deliveries are stored with. */
  const pass = async () => {
    await database.pool.query(`update raw_message set finished_at = finished_at - interval '25 hours'`);
    return await events();
  };
  expect(await arrive('2026-03-01')).toEqual(['report_parse_failed warning']);
  expect(await pass()).toEqual(['report_parse_failed warning resolved']);
  expect(await arrive('2026-03-02')).toEqual(['report_parse_failed warning']);
  expect(await pass()).toEqual(['report_parse_failed warning resolved']);
  expect(await arrive('2026-03-05')).toEqual(['report_parse_failed warning']);
  expect(await pass()).toEqual(['report_parse_failed warning resolved']);
  expect(await arrive('2026-03-08')).toEqual(['report_parse_failed warning resolved', 'report_parse_failed warning']);
});

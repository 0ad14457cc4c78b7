import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { addDays, dayOf, startOfDay } from '@dmarc-ledger/vocabulary';
import { awayFromTheTurn } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEventFixture, type EventFixture } from './event-fixture.ts';
import type { RaiseOrder } from './raise-process.ts';

const PROGRAM = fileURLToPath(new URL('raise-process.ts', import.meta.url));
const DOMAINS = 30;

let fixture: EventFixture;
beforeAll(async () => void (fixture = await openEventFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

it('evaluators that are killed raise each event once, and miss none', async () => {
  await awayFromTheTurn();
  const yesterday = addDays(dayOf(Math.floor(Date.now() / 1_000)), -1);
  const domains = Array.from({ length: DOMAINS }, (_, i) => `d${i}.example`);
  await fixture.arrive(
    ...domains.map((domain) => ({
      id: domain,
      domain,
      begin: startOfDay(yesterday),
      records: [
        { ip: '45.0.0.1', count: 600 },
        { ip: '45.0.0.1', count: 10, dkim: 'pass' as const },
      ],
    })),
  );
  const { rows } = await fixture.database.pool.query<{ id: string }>('select id from domain order by id');
  const domainIds = rows.map(({ id }) => id);
  const databaseUrl = fixture.database.url;
  const run = async (faults: string, ids: string[]) => {
    const order: RaiseOrder = { databaseUrl, orgId: fixture.orgId, domainIds: ids, faults };
    const child = fork(PROGRAM, [JSON.stringify(order)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return signal ?? code;
  };
  const killed = await Promise.all([
    run('F13=kill@2', domainIds),
    run('F13=kill@9', domainIds.toReversed()),
    run('F13=kill@17', domainIds),
  ]);
  expect(killed).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect(await Promise.all([run('', domainIds), run('', domainIds.toReversed())])).toEqual([0, 0]);
  const { rows: events } = await fixture.database.pool.query<{
    type: string;
    events: number;
    merged: number;
    keys: number;
  }>(`
    select type, count(*)::integer as events, sum(merged)::integer as merged, count(distinct dedup_key)::integer as keys
    from event group by type order by type`);
  const burst = { events: 25, keys: 25, merged: DOMAINS - 25 };
  expect(events).toEqual([
    { type: 'dkim_selector_new', ...burst },
    { type: 'domain_discovered', ...burst },
    { type: 'first_report_received', ...burst },
  ]);
  const { rows: conditions } = await fixture.database.pool.query('select from event_condition');
  expect(conditions).toHaveLength(3 * DOMAINS);
});

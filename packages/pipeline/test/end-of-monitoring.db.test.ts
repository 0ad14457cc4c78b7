import { cutoffsOf, raiseEvents as raise, removeDomain } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { holding } from '@dmarc-ledger/scoring';
import { addDays, startOfDay } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { purgeLedger, raiseEvents } from '../src/index.ts';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const TODAY = '2026-03-10';
const DOMAIN = 'example.com';
let fixture: EventFixture;
let domainId: string;

beforeEach(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY);
  await fixture.arrive({
    id: 'r',
    domain: DOMAIN,
    begin: startOfDay(addDays(TODAY, -2)),
    records: [{ ip: '45.0.0.2', count: 1 }],
  });
  await fixture.look();
  const { rows } = await fixture.database.pool.query<{ id: string }>('select id from domain');
  domainId = rows[0]!.id;
});
afterEach(() => fixture[Symbol.asyncDispose]());

const condition = (name: string, domain = DOMAIN) =>
  holding('suspicious_source', { domain, ip: '192.0.2.1', parts: [domain, name] });

/** Raises events that are open until something ends them. */
async function given(names: readonly string[], domain = DOMAIN): Promise<void> {
  const { database, orgId } = fixture;
  await transact(database, (session) =>
    raise(
      session,
      orgId,
      names.map((name) => condition(name, domain)),
    ),
  );
}

async function open(): Promise<string[]> {
  const events = await fixture.events();
  return events.flatMap(({ type, key, resolved }) => (type === 'suspicious_source' && resolved === null ? [key] : []));
}

/** Waits until a session waits for a lock. */
async function someoneWaits(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await fixture.database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows.length).toBeGreaterThan(0);
    },
    { timeout: 30_000 },
  );
}

it('the open events of a domain end when a person removes it, and those of others stay', async () => {
  const { database, orgId } = fixture;
  await given(['x'], 'other.example');
  await given(Array.from({ length: 2_000 }, (_, i) => `${i}`));
  expect(await removeDomain(database, orgId, DOMAIN)).toBe(true);
  expect(await open()).toEqual(['suspicious_source/other.example/x']);
  expect(await removeDomain(database, orgId, DOMAIN)).toBe(false);
});

it('the open events of a domain end when its last report is deleted by age', async () => {
  const { database, orgId } = fixture;
  await given(['a', 'b']);
  await database.pool.query(`update report set received_at = received_at - interval '800 days'`);
  const cutoffs = await cutoffsOf(database.db, { days: 400, rawDays: null, failureReportDays: null });
  expect(await purgeLedger(database, orgId, cutoffs)).toMatchObject({ reports: 1 });
  expect(await open()).toEqual([]);
});

it('an event that the rules raise while the domain is being removed ends with it', async () => {
  const { database, orgId } = fixture;
  let removal: Promise<boolean> | undefined;
  await transact(database, async (session) => {
    await session.db
      .selectFrom('event_watch')
      .select('domain_id')
      .where('domain_id', '=', domainId)
      .forUpdate()
      .execute();
    removal ??= removeDomain(database, orgId, DOMAIN);
    await someoneWaits();
    await raise(session, orgId, [condition('late')]);
  });
  expect(await removal).toBe(true);
  expect(await open()).toEqual([]);
});

it('rules that have waited for the removal of a domain find it removed', async () => {
  const { database, orgId } = fixture;
  await given(['early']);
  let look: Promise<void> | undefined;
  await transact(database, async ({ db }) => {
    await db.selectFrom('event_watch').select('domain_id').where('domain_id', '=', domainId).forUpdate().execute();
    look ??= raiseEvents({ database }, { orgId, domainId });
    await someoneWaits();
    await db.updateTable('domain').set({ monitored: false }).where('id', '=', domainId).execute();
    await db.updateTable('event_watch').set({ due_at: new Date() }).where('domain_id', '=', domainId).execute();
  });
  await look;
  expect(await open()).toEqual([]);
});

import { type Drift, findSpotDrift, nextOrgToCheck } from '@dmarc-ledger/ledger';
import { awayFromTheTurn, DAY_ONE, reportXml } from '@dmarc-ledger/testkit';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runSpotChecks } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';

const DAY = dayOf(DAY_ONE);
const check = { days: [DAY, '2020-01-01'], domains: 20, addresses: 20, from: '203.0.113.9' };
let ledger: Ledger;

beforeAll(async () => {
  ledger = await openLedger('Postgres');
  await ledger.handIn(
    reportXml({
      records: [
        { ip: '192.0.2.7', count: 3 },
        { ip: '2001:db8::7', count: 4, dkim: 'pass' },
      ],
    }),
  );
  await ledger.settled();
});
afterAll(() => ledger[Symbol.asyncDispose]());

const look = () => findSpotDrift(ledger.database.db, ledger.orgId, check);
const tamper = (statement: ReturnType<typeof sql>) => statement.execute(ledger.database.db);

it('finds nothing where every sum is what it is made of', async () => {
  const { rows } = await sql<{ days: number }>`select count(*) as days from domain_day where day = ${DAY}`.execute(
    ledger.database.db,
  );
  expect(rows[0]!.days).toBe(1);
  expect(await look()).toEqual([]);
});

it('finds a sum that differs, and leaves out what waits for repair', async () => {
  await tamper(sql`update source_domain_day set messages = messages + 1 where source_ip = '192.0.2.7'`);
  expect(await look()).toEqual([
    { table: 'source_domain_day', rows: 1 },
    { table: 'domain_day', rows: 1 },
  ]);
  await tamper(sql`insert into rollup_dirty (org_id, source_ip, day, domain_id)
    select org_id, source_ip, day, domain_id from source_domain_day where source_ip = '192.0.2.7'`);
  expect(await look()).toEqual([]);
});

it('checks one organization after the other, and reports what differs', async () => {
  await awayFromTheTurn();
  await ledger.settled(); // the repair has put it right again
  await tamper(sql`update domain_day set messages = messages + 1, day = ${yesterday()}`);
  const ending = new AbortController();
  const faults: string[] = [];
  const reported = new Promise<{ orgId: string; drift: Drift[] }>((resolve) => {
    void runSpotChecks(
      {
        database: ledger.database,
        everyMs: 10,
        onFault: (message) => faults.push(message),
        onMismatch: (orgId, drift) => resolve({ orgId, drift }),
      },
      ending.signal,
    );
  });
  expect(await reported).toEqual({ orgId: ledger.orgId, drift: [{ table: 'domain_day', rows: 1 }] });
  ending.abort();
  expect(faults).toEqual([]);
});

function yesterday(): string {
  return dayOf(Date.now() / 1000 - 86_400);
}

it('passes over an organization that is being removed, whose records go before their sums', async () => {
  const { db } = ledger.database;
  expect(await nextOrgToCheck(db, null)).toBe(ledger.orgId);
  await tamper(sql`update organization set removed_at = now()`);
  expect(await nextOrgToCheck(db, null)).toBe(null);
});

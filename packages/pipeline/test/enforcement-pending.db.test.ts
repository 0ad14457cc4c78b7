import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOrganization } from '@dmarc-ledger/ledger';
import { findEnforcement, findEnforcementStages } from '@dmarc-ledger/queries';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeHealth } from '../src/index.ts';

const TODAY = '2026-03-10';
const WINDOW = { days: 30, today: TODAY, now: new Date(`${TODAY}T12:00:00Z`) };
const BUSY = 'busy.example';
const QUIET = 'quiet.example';
const LEFT = 'left.example';

let database: ClonedDatabase;
let orgId: string;

/** More mail than a request reads for the one domain, little for another, and some of a domain that no job is about. */
beforeAll(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Upgraded' }));
  const failing = { count: 5, dkim: false, spf: false, disposition: 'none' as const };
  const reports = (domain: string, addresses: number) =>
    Array.from({ length: 15 }, (_, ago) => ({
      domain,
      begin: `${addDays(TODAY, -ago)}T00:00:00Z`,
      end: `${addDays(TODAY, -ago)}T23:59:59Z`,
      policy: { p: 'none' } as const,
      records: Array.from({ length: addresses }, (_, i) => ({ ip: `45.0.${i >> 8}.${i & 255}`, ...failing })),
    }));
  await givenReports(database.db, orgId, [...reports(BUSY, 700), ...reports(QUIET, 3), ...reports(LEFT, 3)]);
  await database.db.updateTable('domain').set({ monitored: false }).where('name', '=', LEFT).execute();
});
afterAll(() => database[Symbol.asyncDispose]());

const stages = async () => {
  const all = await findEnforcementStages(database.db, orgId, WINDOW);
  return Object.fromEntries(all.map(({ domain, verdict, isJudged }) => [domain, { verdict, isJudged }]));
};
const verdictOf = async (domain: string) => ({
  verdict: (await findEnforcement(database.db, orgId, { domain, ...WINDOW }))?.verdict.verdict,
  isJudged: true,
});
const compute = async (domain: string) => {
  const { id } = await database.db
    .selectFrom('domain')
    .select('id')
    .where('name', '=', domain)
    .executeTakeFirstOrThrow();
  await computeHealth({ database, now: () => WINDOW.now }, { orgId, domainId: id });
};

it('an upgrade lets the days of monitored domains be stored at once', async () => {
  const upgrade = readFileSync(
    join(import.meta.dirname, '../../../migrations/0044_verdicts_after_upgrade.sql'),
    'utf8',
  );
  const later = new Date(Date.now() + 3_600_000);
  await database.db.updateTable('domain').set({ health_due_at: later }).execute();
  await database.pool.query(upgrade);
  const due = database.db.selectFrom('domain').select('name').where('health_due_at', '<', later).orderBy('name');
  expect(await due.execute()).toEqual([{ name: BUSY }, { name: QUIET }]);
});

it('verdicts are being computed while the days of much mail wait for a job, and then are those of the domains', async () => {
  const pending = { verdict: 'being computed', isJudged: false };
  expect(await stages()).toEqual({ [BUSY]: pending, [QUIET]: pending, [LEFT]: await verdictOf(LEFT) });
  await compute(BUSY);
  expect(await stages()).toEqual({
    [BUSY]: await verdictOf(BUSY),
    [QUIET]: await verdictOf(QUIET),
    [LEFT]: await verdictOf(LEFT),
  });
});

it('a few new days are read at once, however much mail they have', async () => {
  await compute(QUIET);
  await database.db.deleteFrom('enforcement_day').where('day', '>', addDays(TODAY, -3)).execute();
  expect(await stages()).toEqual({
    [BUSY]: await verdictOf(BUSY),
    [QUIET]: await verdictOf(QUIET),
    [LEFT]: await verdictOf(LEFT),
  });
});

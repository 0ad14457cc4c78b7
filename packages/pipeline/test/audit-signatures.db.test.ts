import { findDrift, rebuildRollups } from '@dmarc-ledger/ledger';
import { reportXml } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from './ledger.ts';

const begin = Math.floor(Date.now() / 86_400_000 - 2) * 86_400;
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
  await ledger.handIn(
    reportXml({ id: 'one', begin, records: [{ ip: '192.0.2.1', count: 5, dkim: 'pass' }] }),
    reportXml({ id: 'two', begin, records: [{ ip: '192.0.2.2', count: 3, dkim: 'fail' }] }),
  );
  await ledger.settled();
});
afterAll(() => ledger[Symbol.asyncDispose]());

it.each([
  ['were not recorded by an older worker', 'delete from dkim_pass; delete from dkim_failure'],
  [
    'are recorded with other messages',
    'update dkim_pass set messages = messages + 1; update dkim_failure set messages = messages + 1',
  ],
  [
    'no record has',
    `update dkim_pass set selector = 'made-up' where selector <> ''; update dkim_failure set source_ip = '192.0.2.9'`,
  ],
])(
  'the audit finds signatures that %s, those that passed and those that failed, and a repair mends them',
  async (_, damage) => {
    const { database, orgId } = ledger;
    const wrong = async () => {
      const drift = await findDrift(database, orgId);
      return drift.filter(({ rows }) => rows > 0);
    };
    const rowsOf = async (table: string) =>
      (await database.pool.query<object>(`select * from ${table} order by signer, selector`)).rows;
    const held = async () => ({ passed: await rowsOf('dkim_pass'), failed: await rowsOf('dkim_failure') });
    const recorded = await held();
    expect(recorded.passed.length).toBeGreaterThan(0);
    expect(recorded.failed.length).toBeGreaterThan(0);
    expect(await wrong()).toEqual([]);
    await database.pool.query(damage);
    expect((await wrong()).toSorted((a, b) => (a.table < b.table ? -1 : 1))).toEqual([
      { table: 'dkim_failure', rows: 1 },
      { table: 'dkim_pass', rows: 1 },
    ]);
    await rebuildRollups(database, orgId);
    await ledger.settled();
    expect(await wrong()).toEqual([]);
    expect(await held()).toEqual(recorded);
  },
);

it('the audit finds no fault in names that PostgreSQL folds otherwise, or that begin with an odd space', async () => {
  const selectors = ['\u00a0s1', '\u212a1', 'k1'].map((selector, i) => ({
    ip: `192.0.2.${10 + i}`,
    count: 4,
    selector,
  }));
  await ledger.handIn(
    reportXml({ id: 'odd pass', begin, records: selectors.map((record) => ({ ...record, dkim: 'pass' as const })) }),
    reportXml({ id: 'odd failure', begin, records: selectors.map((record) => ({ ...record, dkim: 'fail' as const })) }),
  );
  await ledger.settled();
  expect((await findDrift(ledger.database, ledger.orgId)).filter(({ rows }) => rows > 0)).toEqual([]);
});

it('the audit finds no fault in names that can have no record in the DNS', async () => {
  const long = Array.from({ length: 3 }, () => 'a'.repeat(60)).join('.');
  for (const [i, name] of ['h.123', '10.0.1', long].entries())
    for (const dkim of ['pass', 'fail'] as const) {
      const record = { ip: '192.0.2.20', count: 4, dkim, selector: 'b'.repeat(60), headerFrom: name };
      const xml = reportXml({ id: `unaskable ${i} ${dkim}`, begin, records: [record] }).toString();
      const signed = xml.replace('<dkim><domain>example.com<', `<dkim><domain>${name}<`);
      expect(signed).toContain(`<dkim><domain>${name}<`);
      await ledger.handIn(Buffer.from(signed));
    }
  await ledger.settled();
  const held = ledger.database.db.selectFrom('report').select('id').where('report_id', 'like', 'unaskable %');
  expect(await held.execute()).toHaveLength(6);
  expect((await findDrift(ledger.database, ledger.orgId)).filter(({ rows }) => rows > 0)).toEqual([]);
});

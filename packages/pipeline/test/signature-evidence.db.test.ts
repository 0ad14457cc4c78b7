import { removeReports } from '@dmarc-ledger/ledger';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { transact } from '@dmarc-ledger/schema';
import { Random, testSeed } from '@dmarc-ledger/testkit/random';
import { addDays, startOfDay } from '@dmarc-ledger/vocabulary';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { auditJudgement } from '../src/index.ts';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const SEED = testSeed();
const TODAY = '2026-06-10';
const relayed = { ip: '45.0.0.1', count: 5, spfDomain: 'lists.example.net', spfResult: 'pass' };
const signed = { ip: '45.0.0.2', count: 7, dkim: 'pass', spf: 'pass' } as const;

let fixture: EventFixture;
let number = 0;
beforeEach(async () => {
  fixture = await openEventFixture();
  fixture.itIs(TODAY, 5);
});
afterEach(() => fixture[Symbol.asyncDispose]());

type Records = NonNullable<NonNullable<Parameters<EventFixture['arrive']>[0]>['records']>;

function report(ago: number, ...records: Records) {
  return { id: `r-${(number += 1)}`, begin: startOfDay(addDays(TODAY, -ago)), records };
}

async function arrive(ago: number, ...records: Records): Promise<void> {
  await fixture.arrive(report(ago, ...records));
}

/** The class of the relayed mail of so many days ago, and its messages in the sums of that day. */
async function relayedMail(ago: number): Promise<{ class: string; forwarded: number; proved: number }> {
  const { rows } = await fixture.database.pool.query(
    `select r.class, d.forwarded, d.proved from report_record r
       join domain_day d on d.org_id = r.org_id and d.domain_id = r.domain_id and d.day = r.day
     where r.source_ip = '45.0.0.1' and r.day = $1`,
    [addDays(TODAY, -ago)],
  );
  return rows[0];
}

async function drift(): Promise<number> {
  const { database, orgId } = fixture;
  return (await auditJudgement({ database, organizationalDomain: publicSuffixDomains() }, orgId)).differing;
}

const forwarded = { class: 'likely_forwarded', forwarded: 5, proved: 0 };
const doubtful = { class: 'needs_review', forwarded: 0, proved: 0 };

it.each([
  ['on the same day', 10, 10, forwarded],
  ['90 days before', 100, 10, forwarded],
  ['91 days before', 101, 10, doubtful],
  ['a day later', 9, 10, doubtful],
])('a broken signature is evidence when its selector passed %s', async (_, passedAgo, ago, expected) => {
  await arrive(passedAgo, signed);
  await arrive(ago, relayed);
  expect(await relayedMail(ago)).toEqual(expected);
  expect(await drift()).toBe(0);
});

it.each([
  ['of another selector', { ...signed, selector: 's2' }, relayed, doubtful],
  ['of the same selector in capitals', { ...signed, selector: 'S1' }, relayed, forwarded],
  [
    'of any selector, where the reporter names none',
    { ...signed, selector: 's2' },
    { ...relayed, selector: '' },
    forwarded,
  ],
  ['of a signature whose selector was not named', { ...signed, selector: '' }, relayed, doubtful],
  ['that failed itself', { ...signed, dkim: 'fail' } as const, relayed, doubtful],
])('judges by a pass %s', async (_, passed, mail, expected) => {
  await arrive(3, passed);
  await arrive(2, mail);
  expect(await relayedMail(2)).toEqual(expected);
});

it('judges failing mail again when the first pass of its selector arrives after it, and when that pass is removed', async () => {
  await arrive(5, relayed);
  await arrive(20, relayed);
  expect(await relayedMail(5)).toEqual(doubtful);
  await arrive(10, signed);
  expect(await relayedMail(5)).toEqual(forwarded);
  expect(await relayedMail(20)).toEqual(doubtful);
  await arrive(30, signed);
  expect(await relayedMail(20)).toEqual(forwarded);
  expect(await drift()).toBe(0);
  const { database, orgId } = fixture;
  await database.pool.query(`update report set received_at = '2026-01-01' where dkim_pass > 0`);
  await transact(database, (session) => removeReports(session, orgId, new Date('2026-02-01')));
  await fixture.judge();
  expect(await relayedMail(5)).toEqual(doubtful);
  expect(await drift()).toBe(0);
});

it('judges failing mail again when the first passes of its selector arrive together', async () => {
  for (const ago of [5, 20, 95, 105]) await arrive(ago, relayed);
  await fixture.arrive(...[8, 10, 30, 100].map((ago) => report(ago, signed)));
  for (const ago of [5, 20, 95]) expect(await relayedMail(ago)).toEqual(forwarded);
  expect(await relayedMail(105)).toEqual(doubtful);
  expect(await drift()).toBe(0);
});

it('judges failing mail again when its only passes are removed together, and others take their place', async () => {
  for (const ago of [5, 95]) await arrive(ago, relayed);
  await fixture.arrive(...[8, 10, 100].map((ago) => report(ago, signed)));
  const { database, orgId } = fixture;
  await database.pool.query(`update report set received_at = '2026-01-01' where dkim_pass > 0`);
  await arrive(9, signed);
  await transact(database, (session) => removeReports(session, orgId, new Date('2026-02-01')));
  await fixture.judge();
  expect(await relayedMail(5)).toEqual(forwarded);
  expect(await relayedMail(95)).toEqual(doubtful);
  expect(await drift()).toBe(0);
});

it(`judges failing mail alike in whatever batches passes come and go (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const { database, orgId } = fixture;
  const some = () => {
    const ago = 1 + random.below(220);
    const passed = { ...signed, selector: random.pick(['s1', 's2', '']) };
    return report(ago, random.below(3) > 0 ? { ...relayed, selector: random.pick(['s1', 's2', '']) } : passed);
  };
  for (let batch = 0; batch < 12; batch += 1) {
    await fixture.arrive(...Array.from({ length: 1 + random.below(6) }, some));
    expect(await drift()).toBe(0);
    if (random.below(3) > 0) continue;
    await database.pool.query(
      `update report set received_at = '2026-01-01' where hashtext(report_id || '${batch}') % 3 = 0`,
    );
    await transact(database, (session) => removeReports(session, orgId, new Date('2026-02-01')));
    await fixture.judge();
    expect(await drift()).toBe(0);
  }
});

it('names in an audit the records whose class does not follow from what is known', async () => {
  await arrive(9, signed);
  await arrive(8, relayed);
  const { database, orgId } = fixture;
  const { rows } = await database.pool.query<{ report: string; position: number }>(
    `update stored_record set class = 'needs_review' where class = 'likely_forwarded'
     returning report_id as report, position`,
  );
  const audited = await auditJudgement({ database, organizationalDomain: publicSuffixDomains() }, orgId);
  expect(rows).toHaveLength(1);
  expect(audited.records).toEqual([{ ...rows[0], stored: 'needs_review', found: 'likely_forwarded' }]);
});

it('ends the answers that were kept while the signatures of a report were recorded', async () => {
  await arrive(9, signed);
  const { pool } = fixture.database;
  await pool.query(`
    create table at_record (changes bigint not null);
    create function note_record() returns trigger language plpgsql as $$
    begin
      insert into at_record select changes from org_total;
      return null;
    end $$;
    create trigger recorded after insert on dkim_pass for each statement execute function note_record()`);
  await arrive(8, signed);
  const { rows } = await pool.query('select t.changes > r.changes as ended from org_total t, at_record r');
  expect(rows).toEqual([{ ended: true }]);
});

it('announces nothing for a pass on a day between others', async () => {
  for (const ago of [9, 8, 6]) await arrive(ago, signed);
  const { pool } = fixture.database;
  await pool.query('delete from outbox');
  await arrive(7, signed);
  await arrive(5, signed);
  expect((await pool.query(`select from outbox where job = 'judgeSignatures'`)).rows).toEqual([]);
});

it('searches the failing mail once, however many selectors a report names', async () => {
  for (const ago of [12, 11, 10]) await arrive(ago, relayed);
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  await arrive(20, signed, ...Array.from({ length: 50 }, (_, i) => ({ ...signed, selector: `made-up${i}` })));
  const searches = statements.mock.calls.filter(([first]: unknown[]) =>
    JSON.stringify(first).includes("value ->> 'result' <> 'pass'"),
  );
  statements.mockRestore();
  expect(searches.length).toBeLessThanOrEqual(2);
  for (const ago of [12, 11, 10]) expect(await relayedMail(ago)).toEqual(forwarded);
  expect(await drift()).toBe(0);
});

it('takes no wave of forged signatures for evidence, however many selectors it names', async () => {
  await arrive(3, signed);
  await arrive(2, ...Array.from({ length: 20 }, (_, i) => ({ ...relayed, ip: `45.1.0.${i}`, selector: `forged${i}` })));
  const { rows } = await fixture.database.pool.query('select distinct class from report_record where not dkim_pass');
  expect(rows).toEqual([{ class: 'needs_review' }]);
});

it('raises an alarm for a wave of forged signatures, however its senders call themselves', async () => {
  for (let ago = 20; ago > 1; ago -= 1) await arrive(ago, { ...signed, count: 500 });
  const wave = (name: string, selector: string) =>
    Array.from({ length: 6 }, (_, i) => ({
      ip: `${45 + i}.${selector.length}.0.9`,
      count: 80,
      selector,
      spfDomain: name,
      spfResult: 'pass',
    }));
  await arrive(1, ...wave('evil.example', 'forged'), ...wave('lists.evil.example', 's1'));
  const { rows } = await fixture.database.pool.query(
    `select class, proved, sum(messages)::int as messages from report_record where not dkim_pass group by 1, 2 order by 1`,
  );
  expect(rows).toEqual([
    { class: 'likely_forwarded', proved: false, messages: 480 },
    { class: 'needs_review', proved: false, messages: 480 },
  ]);
  fixture.itIs(TODAY, 6, 1);
  await fixture.look();
  expect((await fixture.events()).filter(({ type }) => type === 'spoofing_campaign')).toMatchObject([
    {
      severity: 'critical',
      message: `960 messages from 12 addresses failed DMARC for example.com on ${addDays(TODAY, -1)}.`,
    },
  ]);
});

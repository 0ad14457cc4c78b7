import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobs, type BlobStore } from '@dmarc-ledger/blobs';
import {
  type Claimant,
  createOrganization,
  findDrift,
  openClaimant,
  openDimensions,
  planSnapshots,
  requeueDeliveries,
  rebuildRollups,
} from '@dmarc-ledger/ledger';
import { findSnapshots } from '@dmarc-ledger/queries';
import { transact } from '@dmarc-ledger/schema';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import {
  cloneDatabase,
  givenReports,
  reportXml,
  travellingClock,
  type ClonedDatabase,
  type DescribedReport,
} from '@dmarc-ledger/testkit';
import { addDays, daysBetween, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { computeSnapshots, receiveMessages, repairRollups, takeIn, workHandlers } from '../src/index.ts';

let database: ClonedDatabase;
let blobs: BlobStore;
let claimant: Claimant;
let orgId: string;
let folder: string;
let setClock: (instant: Date) => void;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ set: setClock } = travellingClock(database));
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-snapshots-'));
  blobs = await openBlobs(pathToFileURL(folder).href);
  claimant = openClaimant(database);
});
afterEach(async () => {
  claimant.release();
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** It is this long after the day began. */
function itIs(day: Day, hours = 1, seconds = 0): void {
  setClock(new Date((startOfDay(day) + hours * 3_600 + seconds) * 1_000));
}

let number = 0;
/** Reports of whole days, each with so many messages, of which so many pass. */
async function arrive(...reports: { day: Day; messages?: number; pass?: number; domain?: string }[]): Promise<void> {
  const contents = reports.map(({ day, messages = 10, pass = messages, domain }) => {
    const records: DescribedReport['records'] = [
      { ip: '45.0.0.1', count: pass, dkim: 'pass', spf: 'pass' },
      { ip: '45.0.0.2', count: messages - pass },
    ];
    return reportXml({ id: `r-${(number += 1)}`, domain, begin: startOfDay(day), records });
  });
  await receiveMessages(
    { database, blobs },
    orgId,
    contents.map((content) => ({ content, source: 'file', name: null })),
  );
  await takeAllIn();
}

async function takeAllIn(): Promise<void> {
  const onFault = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const needs = { database, blobs, claimant, dimensions: openDimensions(database), onFault };
  while ((await takeIn(needs, null)) !== null);
}

/** Runs the scheduler once; returns how many organizations it found due. */
async function tick(): Promise<number> {
  const planned = await planSnapshots(database, { atOnce: 10, lostAfterSeconds: 600 });
  if (planned > 0) await computeSnapshots({ database }, { orgId });
  return planned;
}

/** As `intake replay --all` does. */
async function replay(): Promise<void> {
  const { db } = database;
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const messageIds = ids(await db.selectFrom('raw_message').select('id').execute());
  const reportIds = ids(await db.selectFrom('report').select('id').execute());
  await transact(database, (session) => requeueDeliveries(session, orgId, { messageIds, reportIds }));
  await takeAllIn();
  const needs = { database, blobs, dimensions: openDimensions(database), organizationalDomain: publicSuffixDomains() };
  await workHandlers(needs).rereadReports({ orgId, reportIds }, AbortSignal.timeout(60_000));
}

/** As `audit --repair` does, after which nothing differs. */
async function repair(): Promise<void> {
  await rebuildRollups(database, orgId);
  await repairRollups({ database }, { orgId });
  expect(await wrongRows()).toBe(0);
}

async function wrongRows(): Promise<number> {
  return (await findDrift(database, orgId)).reduce((sum, { rows }) => sum + rows, 0);
}

/** Waits until so many statements wait for a lock of another. */
async function untilWaiting(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length;
    })
    .toBe(count);
}

async function held(): Promise<[Day, number][]> {
  const snapshots = await findSnapshots(database.db, orgId, '2020-01-01', '2030-01-01');
  return snapshots.map(({ day, messages }) => [day.slice(5), messages]);
}

describe('snapshots', () => {
  it('close each day once, at midnight, also days without reports', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-02', 2);
    expect(await tick()).toBe(1);
    expect(await held()).toEqual([['03-01', 10]]);
    itIs('2026-03-02', 23);
    expect(await tick()).toBe(0);
    for (const day of ['2026-03-03', '2026-03-04']) {
      itIs(day, 0, 1);
      expect(await tick()).toBe(1);
      expect(await tick()).toBe(0);
    }
    expect(await held()).toEqual([
      ['03-01', 10],
      ['03-02', 10],
      ['03-03', 10],
    ]);
  });

  it('of a day that closes while they are computed are due at once', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-02', 23, 3_599);
    expect(await planSnapshots(database, { atOnce: 10, lostAfterSeconds: 600 })).toBe(1);
    // they have been read, and are next marked as done
    database.pool.once('release', () => itIs('2026-03-03', 0, 1));
    await computeSnapshots({ database }, { orgId });
    expect(await held()).toEqual([['03-01', 10]]);
    expect(await tick()).toBe(1);
    expect(await held()).toEqual([
      ['03-01', 10],
      ['03-02', 10],
    ]);
    expect(await tick()).toBe(0);
  });

  it('begin with DMARC, whatever day a report is dated to', async () => {
    itIs('2026-03-02');
    await arrive({ day: '1970-01-02' }, { day: '2026-03-01' });
    itIs('2026-03-02', 1, 120); // what came is an import, which is over now
    await tick();
    const snapshots = await findSnapshots(database.db, orgId, '0001-01-01', '2026-03-01');
    expect(snapshots[0]).toMatchObject({ day: '2012-01-01', messages: 10 });
    expect(snapshots).toHaveLength(daysBetween('2012-01-01', '2026-03-01') + 1);
  });

  it('that were missed are caught up', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-20', 5);
    await tick();
    expect((await held()).map(([day]) => day)).toEqual(
      Array.from({ length: 19 }, (_, i) => addDays('2026-03-01', i).slice(5)),
    );
  });

  it('take a late report in until four days after the day began, and then no more', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-02', 2);
    await tick();
    itIs('2026-03-04', 23);
    await arrive({ day: '2026-03-01', messages: 5 });
    itIs('2026-03-04', 23, 90);
    await tick();
    expect((await held())[0]).toEqual(['03-01', 15]);
    itIs('2026-03-05', 0, 1);
    await tick();
    await arrive({ day: '2026-03-01', messages: 100 });
    itIs('2026-03-05', 1);
    await tick();
    expect(await held()).toEqual([
      ['03-01', 15], // final
      ['03-02', 115],
      ['03-03', 115],
      ['03-04', 115],
    ]);
  });

  it('take in what came in time, though nothing computed them until the next day', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-02', 2);
    await tick();
    itIs('2026-03-04', 23, 1_800);
    await arrive({ day: '2026-03-01', messages: 5 });
    itIs('2026-03-05', 0, 1_800);
    await tick();
    expect(await held()).toEqual([
      ['03-01', 15],
      ['03-02', 15],
      ['03-03', 15],
      ['03-04', 15],
    ]);
  });

  it('of days that are final are not touched by what came too late, whenever they are computed', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-06', 1);
    await tick();
    await arrive({ day: '2026-03-01', messages: 100 });
    itIs('2026-03-09', 1);
    await tick();
    expect(await held()).toEqual([
      ['03-01', 10],
      ['03-02', 10],
      ['03-03', 110],
      ['03-04', 110],
      ['03-05', 110],
      ['03-06', 110],
      ['03-07', 110],
      ['03-08', 110],
    ]);
  });

  it.each([
    ['before it is counted', { seconds: 3_599.999, table: 'source_domain_day', waiting: 1 }],
    ['when it is counted but not yet committed', { seconds: 3_000, table: 'payload', waiting: 2 }],
  ])('take in a report of the day that is being stored as it ends, %s', async (_, { seconds, table, waiting }) => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-02', 2);
    await tick();
    const other = await database.pool.connect();
    await other.query(`begin; lock table ${table} in share mode`);
    itIs('2026-03-02', 23, seconds);
    const stored = arrive({ day: '2026-03-02', messages: 5 });
    await untilWaiting(1);
    itIs('2026-03-03', 0, 1);
    const computed = computeSnapshots({ database }, { orgId });
    if (waiting === 1) await computed;
    else await untilWaiting(waiting);
    await other.query('rollback');
    other.release();
    await Promise.all([stored, computed]);
    itIs('2026-03-03', 0, 90);
    await tick();
    expect(await held()).toEqual([
      ['03-01', 10],
      ['03-02', 15],
    ]);
  });

  it('are made anew from the earliest day that an import brings, once, at its end', async () => {
    itIs('2026-03-10');
    await arrive({ day: '2026-03-09' });
    itIs('2026-03-10', 2);
    await tick();
    expect(await held()).toEqual([['03-09', 10]]);
    await arrive({ day: '2026-02-20' }, { day: '2026-03-01' });
    itIs('2026-03-10', 2, 50);
    await arrive({ day: '2026-02-25' }); // between others that the import has brought
    itIs('2026-03-10', 2, 70);
    await tick();
    expect(await held()).toEqual([['03-09', 10]]); // it may still go on
    itIs('2026-03-10', 3);
    await tick();
    const days = await held();
    expect(days).toHaveLength(18);
    expect([days[0], days[5], days[9], days.at(-1)]).toEqual([
      ['02-20', 10],
      ['02-25', 20],
      ['03-01', 30],
      ['03-09', 40],
    ]);
  });

  it('are made anew when another domain’s history is imported', async () => {
    itIs('2026-03-10');
    await arrive({ day: '2026-02-01' }, { day: '2026-03-09' });
    itIs('2026-03-10', 2);
    await tick();
    await arrive({ day: '2026-02-10', domain: 'other.example' });
    itIs('2026-03-10', 3);
    await tick();
    const days = Object.fromEntries(await held());
    expect([days['02-09'], days['02-10'], days['03-09']]).toEqual([10, 20, 20]);
  });

  it('are made anew from the earliest day that comes together with another domain’s history', async () => {
    itIs('2026-03-10');
    await arrive({ day: '2026-02-01' }, { day: '2026-03-09' });
    itIs('2026-03-10', 2);
    await tick();
    await arrive({ day: '2026-02-20', domain: 'other.example' }, { day: '2026-02-10' });
    itIs('2026-03-10', 4);
    await tick();
    const days = Object.fromEntries(await held());
    expect([days['02-09'], days['02-10'], days['02-20'], days['03-09']]).toEqual([10, 20, 30, 30]); // of 30 days
  });

  it('that wait to be computed still do when the rollups are made anew', async () => {
    itIs('2026-03-10');
    await arrive({ day: '2026-03-09' });
    itIs('2026-03-10', 2);
    await tick();
    await arrive({ day: '2026-03-07' });
    await repair();
    itIs('2026-03-10', 3);
    await tick();
    expect(await held()).toEqual([
      ['03-07', 10],
      ['03-08', 10],
      ['03-09', 20],
    ]);
    itIs('2026-03-10', 4);
    await arrive({ day: '2026-02-20' });
    await repair();
    itIs('2026-03-10', 5);
    await tick();
    const days = await held();
    expect([days.length, days[0], days.at(-1)]).toEqual([18, ['02-20', 10], ['03-09', 30]]);
  });

  it('are computed again from the first day that a repair has corrected, and from none when nothing was wrong', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-20', 1);
    await tick();
    await arrive({ day: '2026-03-02', messages: 5 }); // too late
    itIs('2026-03-20', 2);
    await tick();
    const right = await held();
    await repair();
    itIs('2026-03-20', 3);
    await tick();
    expect(await held()).toEqual(right);

    await database.pool.query(`update domain_day set messages = 1000 where day = '2026-03-02'`);
    await computeSnapshots({ database }, { orgId, from: '2026-03-02' });
    expect(await wrongRows()).toBeGreaterThan(0);
    await repair();
    itIs('2026-03-20', 4);
    await tick();
    const days = await held();
    expect([days[0], ...new Set(days.slice(1).map(([, messages]) => messages))]).toEqual([['03-01', 10], 15]);
  });

  it('are there after a repair of totals that are gone, and when all reports are', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-02', 2);
    await tick();
    await database.pool.query('delete from org_total');
    await repair();
    itIs('2026-03-03', 1);
    await tick();
    expect(await held()).toEqual([
      ['03-01', 10],
      ['03-02', 10],
    ]);
    await database.pool.query('truncate report, stored_record');
    await repair();
    const { rows } = await database.pool.query('select reports, messages, sources from org_total');
    expect(rows).toEqual([{ reports: 0, messages: 0, sources: 0 }]);
    itIs('2026-03-04', 1);
    await tick();
    expect(await held()).toHaveLength(2);
  });

  it('are computed again from the first day that a replay has corrected, and from none when it read the same figures', async () => {
    itIs('2026-03-02');
    await arrive({ day: '2026-03-01' });
    itIs('2026-03-20', 1);
    await tick();
    await arrive({ day: '2026-03-02', messages: 5 }); // too late
    itIs('2026-03-20', 2);
    await tick();
    const before = await held();
    await database.pool.query(`update report set metadata = metadata || '{"generator": "older"}'`);
    await replay();
    itIs('2026-03-20', 3);
    await tick();
    expect(await held()).toEqual(before);

    await database.pool.query(`
      update stored_record set messages = messages + 100 where day = '2026-03-01' and position = 1;
      update report set messages = messages + 100, compliant = compliant + 100, spf_pass = spf_pass + 100,
        dkim_pass = dkim_pass + 100 where day = '2026-03-01'`);
    await repair();
    itIs('2026-03-20', 4);
    await tick();
    expect((await held())[0]).not.toEqual(['03-01', 10]);
    await replay();
    itIs('2026-03-20', 5);
    await tick();
    const days = await held();
    expect([days[0], ...new Set(days.slice(1).map(([, messages]) => messages))]).toEqual([['03-01', 10], 15]);
  });

  it('come out the same when two compute them at once while reports arrive', async () => {
    itIs('2026-03-10');
    await arrive(...Array.from({ length: 30 }, (_, i) => ({ day: addDays('2026-02-08', i) })));
    itIs('2026-03-10', 2);
    await Promise.all([
      ...Array.from({ length: 4 }, () => computeSnapshots({ database }, { orgId })),
      arrive({ day: '2026-03-09', messages: 7 }),
    ]);
    itIs('2026-03-10', 3);
    await tick();
    const before = await held();
    expect(before.at(-1)).toEqual(['03-09', 307]);
    await computeSnapshots({ database }, { orgId, from: '2026-01-01' });
    expect(await held()).toEqual(before);
  });

  it('are the same whichever day they are computed again from, where windows of reports end at once', async () => {
    itIs('2026-03-14');
    const [end, records] = ['2026-03-09T23:59:59Z', [{ count: 10 }]];
    const store = (begin: string, p: 'none' | 'reject') =>
      givenReports(database.db, orgId, [{ begin, end, policy: { p }, records }]);
    await store('2026-03-09T00:00:00Z', 'none');
    await store('2026-03-07T00:00:00Z', 'reject');
    await database.pool.query('update org_total set imported_at = null');
    await computeSnapshots({ database }, { orgId, from: '2026-03-01' });
    const scores = async () =>
      (await findSnapshots(database.db, orgId, '2026-03-01', '2026-03-13')).map(({ score }) => score);
    expect(await scores()).toEqual([100, 100, 100, 100, 100, 100]); // from the 8th on
    await computeSnapshots({ database }, { orgId, from: '2026-03-11' });
    expect(await scores()).toEqual([100, 100, 100, 100, 100, 100]);
  });

  it('say what a plain reading of the rule says, over 60 days of reports in time and late, an empty week and an import', async () => {
    const random = seeded(7);
    const start = '2026-01-01';
    const arrivals: { at: Day; day: Day; messages: number; pass: number; domain: string }[] = [];
    for (let i = 0; i < 60; i += 1) {
      if (i >= 30 && i < 37) continue;
      for (const domain of ['one.example', 'two.example', 'three.example']) {
        const late = random() < 0.2 ? 1 + Math.floor(random() * 8) : 1;
        const messages = 1 + Math.floor(random() * 100);
        const pass = Math.floor(random() * (messages + 1));
        arrivals.push({ at: addDays(start, i + late), day: addDays(start, i), messages, pass, domain });
      }
    }
    const kept = new Map<Day, { score: number; messages: number }>();
    for (let i = 1; i <= 60; i += 1) {
      const today = addDays(start, i);
      itIs(today, 0, 1);
      await tick();
      itIs(today, 4);
      await arrive(...arrivals.filter(({ at }) => at === today));
      itIs(today, 5);
      await tick();
      const come = arrivals.filter(({ at }) => at <= today);
      for (let day = start; day < today; day = addDays(day, 1)) {
        const isOpen = today < addDays(day, 4);
        if (isOpen) kept.set(day, plainSnapshot(come, day));
      }
    }
    const snapshots = await findSnapshots(database.db, orgId, start, '2030-01-01');
    const shown = snapshots.map(({ day, score, messages }) => [day, { score, messages }]);
    expect(shown).toEqual([...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }, 120_000);
});

/** A direct reading of the rule: each domain's 30 days up to its newest, rates to two decimals, a policy of none. */
function plainSnapshot(reports: { day: Day; messages: number; pass: number; domain: string }[], day: Day) {
  const held = reports.filter((report) => report.day <= day);
  let [messages, pass] = [0, 0];
  for (const domain of new Set(held.map((report) => report.domain))) {
    const own = held.filter((report) => report.domain === domain);
    const newest = own
      .map((report) => report.day)
      .toSorted()
      .at(-1)!;
    for (const report of own.filter((each) => each.day > addDays(newest, -30))) {
      messages += report.messages;
      pass += report.pass;
    }
  }
  const rate = Math.min(pass < messages ? 99.99 : 100, Math.round((10_000 * pass) / messages) / 100);
  return { score: Math.round((0.8 * rate + 0.2 * 25) * 100) / 100, messages };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

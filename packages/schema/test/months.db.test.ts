import { setTimeout as sleep } from 'node:timers/promises';
import { keepMonths, splitByMonth, transact } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const ORG = '00000000-0000-7000-8000-000000000001';
const TODAY = '2026-11-26';

let database: ClonedDatabase;
beforeEach(async () => void (database = await cloneDatabase()));
afterEach(async () => await database[Symbol.asyncDispose]());

const rowsOf = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const split = async () => await splitByMonth(database.url, TODAY);

/** One record of each of these days, in a transaction like those of the product. */
async function give(...days: string[]): Promise<void> {
  const text = `insert into stored_record (org_id, report_id, position, day, domain_id, source_ip, messages,
       disposition, dkim_pass, spf_pass, header_from)
     select $1, gen_random_uuid(), 0, day, gen_random_uuid(), '192.0.2.1', 1, 'none', true, true, 'example.com'
     from unnest($2::date[]) as day`;
  await transact(database, (session) => session.query(text, [ORG, days]));
}

/** The days of the records, by partition. */
async function placed(): Promise<string[]> {
  const rows = await rowsOf(
    `select tableoid::regclass::text || ' ' || day as at from stored_record where org_id = $1 order by day`,
    [ORG],
  );
  return rows.map(({ at }) => at);
}

async function partitions(table = 'stored_record'): Promise<string[]> {
  const rows = await rowsOf(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

describe('tables that are partitioned by month', () => {
  it('keep every row, and those of later months move to where they belong', async () => {
    await give('1970-01-01', '2026-10-31', '2026-11-30', '2026-12-01', '2027-01-31', '2031-05-05');
    expect(await split()).toEqual([
      { table: 'stored_record', wasSplit: false },
      { table: 'source_domain_day', wasSplit: false },
    ]);
    await give('2020-01-01', '2026-12-31', '2027-02-01');
    expect(await placed()).toEqual([
      'stored_record_history 1970-01-01',
      'stored_record_history 2020-01-01',
      'stored_record_history 2026-10-31',
      'stored_record_history 2026-11-30',
      'stored_record_2026_12 2026-12-01',
      'stored_record_2026_12 2026-12-31',
      'stored_record_2027_01 2027-01-31',
      'stored_record_other 2027-02-01',
      'stored_record_other 2031-05-05',
    ]);
    expect(await rowsOf('select count(*) from report_record')).toEqual([{ count: 9 }]);
  });

  it('keep the names of their indexes, their rights, their policies and their fill factor', async () => {
    const facts = async () => ({
      indexes: await rowsOf(
        `select indexrelid::regclass::text as name,
           regexp_replace(pg_get_indexdef(indexrelid), ' ON (ONLY )?', ' ON ') as made
         from pg_index where indrelid = 'stored_record'::regclass order by 1`,
      ),
      rights: await rowsOf(`select relacl::text as acl from pg_class where oid = 'stored_record'::regclass`),
      policies: await rowsOf(`select policyname, qual from pg_policies where tablename = 'stored_record'`),
    });
    const settings = async (which: string) =>
      (await rowsOf(`select distinct reloptions::text as options from pg_class where oid ${which}`)).map(
        ({ options }) => options,
      );
    const whole = await settings(`= 'stored_record'::regclass`);
    expect(whole).toEqual([expect.stringContaining('fillfactor=94')]);
    const before = await facts();
    expect(before.indexes.length).toBeGreaterThan(1);
    expect(before.policies).not.toEqual([]);
    await split();
    expect(await facts()).toEqual(before);
    await keepMonths(database, '2026-12-01');
    expect(await partitions()).toHaveLength(5);
    expect(await settings(`in (select inhrelid from pg_inherits where inhparent = 'stored_record'::regclass)`)).toEqual(
      whole,
    );
  });

  it('are those that a second run, after one that was cut off, has still to do', async () => {
    await give('2026-11-01');
    await using other = await cloneConnection();
    await other.client.query('begin; lock table source_domain_day in access share mode');
    const cut = split().catch((error: Error) => error);
    while ((await partitions()).length === 0) await sleep(20);
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'lock table source_domain_day %' and wait_event_type = 'Lock'`;
    await vi.waitUntil(async () => (await rowsOf(terminate)).length > 0, { timeout: 30_000 });
    expect(await cut).toBeInstanceOf(Error);
    await other.client.query('rollback');
    expect(await split()).toEqual([
      { table: 'stored_record', wasSplit: true },
      { table: 'source_domain_day', wasSplit: false },
    ]);
    expect(await placed()).toEqual(['stored_record_history 2026-11-01']);
  });

  it('are partitioned once when two ask for it at once', async () => {
    await give('2026-11-01');
    await Promise.all([split(), split()]);
    expect(await partitions()).toHaveLength(4);
    expect(await placed()).toEqual(['stored_record_history 2026-11-01']);
  });

  it('are left alone by a user to whom they do not belong', async () => {
    await database.pool.query(`create role months_stranger superuser login password 'months'`);
    try {
      const url = Object.assign(new URL(database.url), { username: 'months_stranger', password: 'months' });
      await expect(splitByMonth(url.href, TODAY)).rejects.toMatchObject({ code: 'not_owner' });
      expect(await partitions()).toEqual([]);
    } finally {
      await database.pool.query('drop role months_stranger');
    }
  });

  it('wait for a transaction that holds one of them, and let others pass meanwhile', async () => {
    await using other = await cloneConnection();
    await other.client.query('begin; lock table stored_record in row exclusive mode');
    const splitting = split();
    await sleep(500);
    await give('2026-11-01'); // waits behind the one that waits, for at most two seconds
    await other.client.query('rollback');
    expect((await splitting).map(({ wasSplit }) => wasSplit)).toEqual([false, false]);
    expect(await placed()).toEqual(['stored_record_history 2026-11-01']);
  });
});

it('tables that are being partitioned answer their readers and take rows, before or after', async () => {
  const done = new AbortController();
  const during = async (work: () => Promise<unknown>) => {
    let times = 0;
    for (; !done.signal.aborted; times += 1) await work();
    return times;
  };
  const busy = Promise.all([
    during(() => give('2026-11-01')),
    during(() => give('2026-12-01')),
    during(() => rowsOf('select count(*) from report_record')),
    during(() => rowsOf('select count(*) from report_record r join stored_record s using (org_id, report_id)')),
  ]);
  await sleep(200);
  await split();
  await sleep(100);
  done.abort();
  const [first, second, ...reads] = await busy;
  expect(Math.min(...reads)).toBeGreaterThan(0);
  const [{ count }] = await rowsOf('select count(*) from report_record');
  expect(count).toBe(first! + second!);
});

describe('the months of partitioned tables', () => {
  it('are made ahead, each once, with the rows that were there before them', async () => {
    await split();
    await give('2027-02-14', '2027-03-01');
    const kept = await Promise.all([1, 2, 3].map(() => keepMonths(database, '2026-12-01')));
    expect(kept.flatMap(({ made }) => made).toSorted()).toEqual(['source_domain_day_2027_02', 'stored_record_2027_02']);
    expect(await placed()).toEqual(['stored_record_2027_02 2027-02-14', 'stored_record_other 2027-03-01']);
    expect(await keepMonths(database, '2026-12-31')).toEqual({ made: [], dropped: [] });
  });

  it('are made for the current month too, after a pause of the scheduler', async () => {
    await split();
    await give('2027-06-15');
    expect((await keepMonths(database, '2027-06-20')).made.filter((name) => name.startsWith('stored'))).toEqual([
      'stored_record_2027_06',
      'stored_record_2027_07',
      'stored_record_2027_08',
    ]);
    expect(await placed()).toEqual(['stored_record_2027_06 2027-06-15']);
  });

  it('have statistics over all of them, which are taken once a day', async () => {
    await give('2026-11-01', '2026-12-01');
    await split();
    const analyzed = () =>
      rowsOf(
        `select last_analyze as at, analyze_count as times from pg_stat_user_tables where relname = 'stored_record'`,
      );
    await keepMonths(database, TODAY);
    await expect.poll(analyzed).toEqual([{ at: expect.any(Date), times: 1 }]);
    await keepMonths(database, TODAY);
    await database.pool.query('select pg_stat_force_next_flush()');
    expect(await analyzed()).toEqual([{ at: expect.any(Date), times: 1 }]);
    expect(await rowsOf(`select reltuples::int as n from pg_class where relname = 'stored_record'`)).toEqual([
      { n: 2 },
    ]);
  });

  it('are dropped once they are over and empty, and take late rows no more', async () => {
    await give('2026-11-01');
    await split();
    await give('2026-12-05');
    const names = ['stored_record_2026_12', 'stored_record_history'];
    expect((await keepMonths(database, '2027-01-31')).dropped).toEqual(['source_domain_day_history']);
    await database.pool.query('delete from stored_record');
    expect((await keepMonths(database, '2027-01-31')).dropped).toEqual(['stored_record_history']);
    expect((await keepMonths(database, '2027-02-01')).dropped).toEqual([
      'stored_record_2026_12',
      'source_domain_day_2026_12',
    ]);
    for (const name of names) expect(await partitions()).not.toContain(name);
    await give('2026-11-01');
    expect(await placed()).toEqual(['stored_record_other 2026-11-01']);
  });

  it('are made and dropped for one table while another transaction holds the other', async () => {
    await split();
    await using other = await cloneConnection();
    await other.client.query('begin; lock table stored_record_other in access exclusive mode');
    await expect(keepMonths(database, '2027-01-31')).rejects.toMatchObject({ code: '55P03' });
    expect(await partitions('source_domain_day')).toEqual([
      'source_domain_day_2026_12',
      'source_domain_day_2027_01',
      'source_domain_day_2027_02',
      'source_domain_day_2027_03',
      'source_domain_day_other',
    ]);
    await other.client.query('rollback');
    expect((await keepMonths(database, '2027-01-31')).made).toEqual(['stored_record_2027_02', 'stored_record_2027_03']);
  });

  it('are left to the next run when the process stops, even inside a statement', async () => {
    await split();
    await using other = await cloneConnection();
    await other.client.query('begin; lock table stored_record_other in access exclusive mode');
    const stopping = new AbortController();
    const keeping = keepMonths(database, '2026-12-01', stopping.signal);
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitUntil(async () => (await rowsOf(isWaiting)).length > 0, { timeout: 30_000 });
    stopping.abort();
    expect(await keeping).toEqual({ made: [], dropped: [] });
    await other.client.query('rollback');
    expect((await keepMonths(database, '2026-12-01')).made).toEqual([
      'stored_record_2027_02',
      'source_domain_day_2027_02',
    ]);
  });

  it('are made while rows of them come', async () => {
    await split();
    const done = new AbortController();
    const giving = (async () => {
      let rows = 0;
      for (; !done.signal.aborted; rows += 1) await give('2027-02-14');
      return rows;
    })();
    await sleep(100);
    expect((await keepMonths(database, '2026-12-01')).made).toContain('stored_record_2027_02');
    await sleep(100);
    done.abort();
    const rows = await giving;
    expect(await rowsOf('select count(*) from stored_record_2027_02')).toEqual([{ count: rows }]);
  });

  it('take a row that was on its way to another partition when they were made', async () => {
    await split();
    await using other = await cloneConnection();
    await other.client.query('begin; lock table stored_record_other in access exclusive mode');
    const giving = give('2027-02-14');
    const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitUntil(async () => (await rowsOf(isWaiting)).length > 0, { timeout: 30_000 });
    await other.client.query(`create table stored_record_2027_02 (like stored_record including all);
      alter table stored_record attach partition stored_record_2027_02 for values from ('2027-02-01') to ('2027-03-01');
      commit`);
    await giving;
    expect(await placed()).toEqual(['stored_record_2027_02 2027-02-14']);
  });

  it('are dropped with the pages of their dead rows, once these can be cut off', async () => {
    await split();
    await give(...Array.from({ length: 60_000 }, () => '2026-11-01'));
    await database.pool.query('delete from stored_record');
    await database.pool.query('select pg_stat_force_next_flush()');
    await vi.waitUntil(
      async () => (await keepMonths(database, '2027-01-31')).dropped.includes('stored_record_history'),
      {
        timeout: 30_000,
        interval: 500,
      },
    );
    expect(await partitions()).not.toContain('stored_record_history');
  });

  it('are not looked for where the tables are whole', async () => {
    await give('2026-11-01');
    expect(await keepMonths(database, '2027-02-01')).toEqual({ made: [], dropped: [] });
    expect(await placed()).toEqual(['stored_record 2026-11-01']);
  });
});

/** A connection of its own. */
async function cloneConnection(): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new pg.Client(database.url);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

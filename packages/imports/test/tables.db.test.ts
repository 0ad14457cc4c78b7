import { setTimeout as sleep } from 'node:timers/promises';
import { emptyDatabase } from '@dmarc-ledger/testkit';
import pg from 'pg';
import { expect, it } from 'vitest';
import { dmarcSrg, dmarcts, parsedmarcTables } from '../../../test/support/peers/databases.ts';
import {
  type Found,
  openSource,
  readDmarcSrg,
  readDmarcts,
  readParsedmarcTables,
  type SourceDatabase,
} from '../src/index.ts';

/** With their records more than one statement may give. */
const REPORTS = 15;
const RECORDS = 1_500;

/** The tables of a tool, and how they are read. */
interface Tool {
  create: (reports: number) => Iterable<string>;
  /** Adds so many records to each report. */
  more: (each: number) => string;
  read: (source: SourceDatabase) => AsyncGenerator<Found>;
}

const tools: { [name: string]: Tool } = {
  parsedmarc: {
    create: parsedmarcTables,
    more: (each) =>
      `insert into dmarc_aggregate_record (id, report_id, source_ip_address, message_count)
      select 1000000 + row_number() over (), id, '192.0.2.9', 1 from dmarc_aggregate_report, generate_series(1, ${each})`,
    read: readParsedmarcTables,
  },
  'dmarcts-report-parser': {
    create: (reports) => [...dmarcts('postgres', reports), `update report set raw_xml = null`],
    more: (each) =>
      `insert into rptrecord (id, serial, ip, rcount, spf_align, dkim_align)
      select 1000000 + row_number() over (), serial, 3221225993, 1, 'fail', 'fail' from report, generate_series(1, ${each})`,
    read: readDmarcts,
  },
  'dmarc-srg': {
    create: (reports) => dmarcSrg(reports, '', true),
    more: (each) =>
      `insert into rptrecords (id, report_id, ip, rcount, disposition, dkim_align, spf_align)
      select 1000000 + row_number() over (), id, '192.0.2.9', 1, 2, 0, 0 from reports, generate_series(1, ${each})`,
    read: readDmarcSrg,
  },
};

async function filled({ create, more }: Tool, reports: number, each: number): Promise<string> {
  const { url } = await emptyDatabase();
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of [...create(reports), more(each)]) await client.query(statement);
  await client.end();
  return url;
}

/** What a reader finds, the most rows that one statement gave, and how often each table was read. */
async function watched(tool: Tool, url: string) {
  await using source = await openSource(new URL(url));
  const statements: string[] = [];
  let most = 0;
  const rows: SourceDatabase['rows'] = async (statement, values) => {
    const given = await source.rows(statement, values);
    statements.push(statement);
    most = Math.max(most, given.length);
    return given;
  };
  const found: Found[] = [];
  for await (const one of tool.read({ ...source, rows })) found.push(one);
  return { found, statements, most };
}

it.each(Object.entries(tools))(
  'reports of %s with many records are read in parts that memory holds, and whole',
  async (_, tool) => {
    const { found, most } = await watched(tool, await filled(tool, REPORTS, RECORDS));
    const sizes = found.map((one) => (one.kind === 'kept' ? one.report.records.length : one.kind));
    expect(sizes).toEqual(Array.from({ length: REPORTS }, () => RECORDS + 2));
    expect(most).toBeLessThanOrEqual(20_000);
  },
);

it('a report with more records than a report can have is named, and others are read', async () => {
  const tool = tools['dmarcts-report-parser']!;
  const url = await filled(tool, 2, 0);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(tool.more(210_000));
  await client.query('delete from rptrecord where serial = 2 and id > 1000000');
  await client.end();
  const { found, most } = await watched(tool, url);
  expect(found.map((one) => (one.kind === 'unreadable' ? one.code : one.kind))).toEqual(['report_too_large', 'kept']);
  expect(most).toBeLessThanOrEqual(200_001);
});

/** A window without an end, and a report that was given the number 0, as repairs by hand leave them. */
const repaired: { [name: string]: string } = {
  parsedmarc: `update dmarc_aggregate_report set end_date = 'infinity' where id = 2;
    update dmarc_aggregate_record set interval_begin = 'infinity' where report_id = 1;
    insert into dmarc_aggregate_report (id, org_name, report_id, begin_date, end_date, domain)
      select -id, org_name, 'below zero', begin_date, end_date, domain from dmarc_aggregate_report where id = 3`,
  'dmarcts-report-parser': `update report set maxdate = 'infinity' where serial = 2;
    insert into report (serial, mindate, maxdate, domain, org, reportid)
      select -serial, mindate, maxdate, domain, org, 'below zero' from report where serial = 3`,
  'dmarc-srg': `update reports set end_time = 'infinity' where id = 2;
    insert into reports (id, domain_id, begin_time, end_time, loaded_time, org, external_id, email, seen)
      select -id, domain_id, begin_time, end_time, loaded_time, org, 'below zero', email, seen from reports where id = 3`,
};

it.each(Object.entries(tools))(
  'a report of %s with a time without end is named, one with a number below 1 is read, and so are all others',
  async (name, tool) => {
    const url = await filled(tool, 3, 1);
    const client = new pg.Client(url);
    await client.connect();
    await client.query(repaired[name] ?? '');
    await client.end();
    const { found } = await watched(tool, url);
    expect(found.map((one) => (one.kind === 'unreadable' ? one.code : one.kind))).toEqual([
      'report_without_records', // the one below 1
      'kept',
      'report_incomplete',
      'kept',
    ]);
  },
);

it('records of an old version of dmarcts-report-parser, which have no id, are read in one order', async () => {
  const tool = tools['dmarcts-report-parser']!;
  const url = await filled(tool, 4, 0);
  const client = new pg.Client(url);
  await client.connect();
  const store = async (order: string) => {
    await client.query(`create table stored as select * from rptrecord order by serial, rcount, dkim_align ${order}`);
    await client.query('drop table rptrecord; alter table stored rename to rptrecord');
  };
  await client.query('alter table rptrecord drop column id');
  await store('asc');
  const { found } = await watched(tool, url);
  await store('desc');
  expect((await watched(tool, url)).found).toEqual(found);
  await client.end();
});

it('a connection that is lost while reports are read is named in a sentence that says what to do', async () => {
  const url = await filled(tools['parsedmarc']!, 6_000, 0);
  await using source = await openSource(new URL(url));
  const other = new pg.Client(url);
  await other.connect();
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  let found = 0;
  const reading = async () => {
    for await (const one of readParsedmarcTables(source)) {
      if (one.kind === 'kept' && (found += 1) === 1) await other.query(end);
    }
  };
  await expect(reading()).rejects.toThrow(
    /^The database cannot be read: .+\. Run it again to continue: nothing is counted twice\.$/,
  );
  expect(found).toBe(5_000);
  await other.end();
});

it('a server that ends idle connections is read to the end, however long taking in takes', async () => {
  const url = await filled(tools['parsedmarc']!, 6_000, 0);
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`alter database ${new URL(url).pathname.slice(1)} set idle_session_timeout = 100`);
  await client.end();
  await using source = await openSource(new URL(url));
  let found = 0;
  for await (const one of readParsedmarcTables(source)) if (one.kind === 'kept' && (found += 1) === 1) await sleep(500);
  expect(found).toBe(6_000);
});

it('results of parsedmarc, which have no index by record, are read once for thousands of reports', async () => {
  const { found, statements } = await watched(tools['parsedmarc']!, await filled(tools['parsedmarc']!, 4_000, 0));
  expect(found).toHaveLength(4_000);
  expect(found[3_999]).toMatchObject({
    report: {
      records: [
        { dkimResults: [{ result: 'pass' }], spfResults: [{ result: 'fail' }], reasons: [] },
        { dkimResults: [], spfResults: [{ result: 'fail' }], reasons: [{ type: 'forwarded' }] },
      ],
    },
  });
  for (const kind of ['dkim', 'spf', 'policy_override'])
    expect(statements.filter((each) => each.includes(`from dmarc_aggregate_record_${kind}`))).toHaveLength(1);
});

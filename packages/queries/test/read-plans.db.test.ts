import { filledDatabase, type FilledDatabase, type WatchedReads, watchReadsOf } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  countWindowSources,
  findBulkSender,
  findCoverages,
  findDateRange,
  findClassedDays,
  findDomainDays,
  findDomains,
  findDomainId,
  findNamedTotal,
  findNewestReportDay,
  findOrgCoverage,
  findOrgDays,
  findOrgTotal,
  findRateTrends,
  findReport,
  findReports,
  findSource,
  findSourceDays,
  findSourceReports,
  findSources,
  findWarnings,
  readRecords,
} from '@dmarc-ledger/queries';
import { findHistories, findOpenEvents, findRefusedMail, findReportedPolicy } from '@dmarc-ledger/facts';
import type { Day } from '@dmarc-ledger/vocabulary';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

let database: FilledDatabase;
let db: Db;
let orgId: string;
let readWhole: WatchedReads['readWhole'];
let watched: ReturnType<typeof watchReadsOf>;

beforeAll(async () => {
  database = await filledDatabase();
  ({ orgId } = database);
  watched = watchReadsOf(database, orgId);
  ({ db, readWhole } = watched);
});
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const page = { direction: 'desc', limit: 50, offset: 0 } as const;
const reportSorts = [
  'date_end',
  'received',
  'org_name',
  'domain',
  'total_messages',
  'report_id',
  'compliance',
] as const;

describe('no query reads a large table whole', () => {
  it.each(reportSorts)('reports by %s', async (sortBy) => {
    for (const direction of ['asc', 'desc'] as const) {
      for (const offset of [0, 2_100, 3_900]) {
        expect(await readWhole(() => findReports(db, orgId, {}, { ...page, sortBy, direction, offset }))).toEqual([]);
      }
    }
  });

  it.each([
    { domain: 'd0.' },
    { domain: 'd' },
    { reporter: '0' },
    { reporter: '1', domain: 'd1' },
    { result: 'fail' },
    { result: 'pass', domain: 'd0.' },
    { from: '2025-03-01' },
    { to: '2025-03-01' },
    { from: '2025-05-01', to: '2025-05-03' },
    { sourceIp: '10.0.0.0' },
    { sourceIp: '10.0.5.0', result: 'fail' },
    { sourceIp: '10.0.0.0', from: '2025-05-01' },
    { search: 'abcdef' },
    { search: 'reporter' },
    { search: 'd1 reporter' },
  ] as const)('reports with %j', async (filter) => {
    for (const sortBy of ['date_end', 'compliance'] as const) {
      expect(await readWhole(() => findReports(db, orgId, filter, { ...page, sortBy }))).toEqual([]);
    }
  });

  it.each([
    { from: '2025-03-01' },
    { to: '2025-03-01' },
    { from: '2025-05-01', to: '2025-05-03' },
    { from: '2025-02-01', to: '2025-11-30' },
  ])('reports that count on the days %j', async (counted) => {
    const filters = [{}, { domain: 'd0.' }, { reporter: '1' }, { result: 'fail' }, { sourceIp: '10.0.0.0' }] as const;
    for (const sortBy of reportSorts) {
      for (const direction of ['asc', 'desc'] as const) {
        for (const filter of filters) {
          const find = () => findReports(db, orgId, { ...filter, counted }, { ...page, sortBy, direction });
          expect({ sortBy, direction, filter, whole: await readWhole(find) }).toMatchObject({ whole: [] });
        }
      }
    }
  });

  it.each([
    'total_messages',
    'source_ip',
    'first_seen',
    'last_seen',
    'compliance',
    'auth_failures',
    'domains',
  ] as const)('sources by %s', async (sortBy) => {
    for (const direction of ['asc', 'desc'] as const) {
      expect(await readWhole(() => findSources(db, orgId, {}, { ...page, sortBy, direction }))).toEqual([]);
      expect(
        await readWhole(() => findSources(db, orgId, { domain: 'd0.example' }, { ...page, sortBy, direction })),
      ).toEqual([]);
    }
  });

  it.each([
    { hasFailures: true },
    { search: 'd1.' },
    { search: '10.0.1' },
    { search: 'example' },
    { domain: 'd1.example', search: '10.0.1' },
  ])('sources with %j', async (filter) => {
    expect(await readWhole(() => findSources(db, orgId, filter, { ...page, sortBy: 'total_messages' }))).toEqual([]);
  });

  it('one source, one report, totals, days and domains', async () => {
    const [report] = (await findReports(db, orgId, {}, { ...page, sortBy: 'date_end' })).rows;
    expect(
      await readWhole(async () => {
        await findSource(db, orgId, '10.0.0.0');
        await findSourceDays(db, orgId, '10.0.0.0');
        await findSourceReports(db, orgId, { ip: '10.0.0.0' });
        const head = await findReport(db, orgId, report!.id);
        await findWarnings(db, orgId, report!.id);
        for await (const batch of readRecords(db, orgId, head!)) expect(batch).toHaveLength(5);
        await findOrgTotal(db, orgId);
        await findNamedTotal(db, orgId, 'd0.example');
        await findOrgDays(db, orgId, { from: '2025-01-01', to: '2025-12-31' });
        await findDomainDays(db, orgId, report!.id, { from: '2025-01-01', to: '2025-12-31' });
        await findRateTrends(db, orgId, '2025-12-31');
        await findDateRange(db, orgId);
        await findNewestReportDay(db, orgId, '2025-12-31');
        await findDomains(db, orgId, { limit: 50, offset: 0 });
      }),
    ).toEqual([]);
  });

  it('own senders whose mail is rejected', async () => {
    const domainId = (await findDomainId(db, orgId, 'd0.example'))!;
    const asked = { orgId, domainId, from: '2025-03-01', to: '2025-06-01', hasOwn: true };
    const rejected = [{ scope: 'domain', fate: 'reject', address: null, messages: 10 } as const];
    expect(await readWhole(() => findRefusedMail(db, asked, rejected))).toEqual([]);
  });

  it('coverage of a domain, of several and of all, and the rules for bulk senders', async () => {
    // an empty table is read whole, whatever is asked of it
    await sql`insert into ip_enrichment (address) select '10.0.0.0'::inet + n from generate_series(0, 20000) as n`.execute(
      database.db,
    );
    await sql`analyze ip_enrichment`.execute(database.db);
    const today = '2025-07-01';
    const [other, domainId] = [
      (await findDomainId(db, orgId, 'd0.example'))!,
      (await findDomainId(db, orgId, 'd3.example'))!,
    ];
    expect(
      await readWhole(async () => {
        const coverageOf = await findCoverages(db, orgId, [other, domainId], { days: 30, today });
        expect(coverageOf(domainId).reporters.length).toBeGreaterThan(0);
        const { all, domains } = await findOrgCoverage(db, orgId, { days: 30, today });
        expect(all.messages).toBeGreaterThan(0);
        expect(domains.get('d3.example')?.confidence).toEqual(coverageOf(domainId).confidence);
        await findBulkSender(db, orgId, { domain: 'd3.example', domainId, today, now: new Date(`${today}T12:00:00Z`) });
      }),
    ).toEqual([]);
  });
});

describe('what is collected and sorted is read in an index alone, and only the page in the table', () => {
  const orders = ['date_end', 'received', 'org_name', 'total_messages', 'compliance'] as const;
  it.each([
    { domain: 'd0.' },
    { domain: 'd0.', result: 'fail' },
    { domain: 'd0.', reporter: '1' },
    { domain: 'd0.', from: '2025-05-01' },
    { from: '2025-05-01', to: '2025-06-30' },
    { to: '2025-02-28', result: 'pass' },
    { from: '2025-11-01' },
    { counted: { from: '2025-05-01', to: '2025-06-30' } },
    { counted: { from: '2025-11-01' } },
    { counted: { to: '2025-02-28' }, result: 'pass' },
    { counted: { from: '2025-05-01' }, domain: 'd0.' },
  ] as const)('reports with %j', async (filter) => {
    for (const sortBy of orders) {
      const read = () => findReports(db, orgId, filter, { ...page, sortBy });
      const { total } = await read();
      expect(total).toBeGreaterThan(page.limit);
      expect(total).toBeLessThan(3_000);
      expect(await watched.visitedOf('report', read)).toBe(page.limit);
    }
  });
});

it('walks from the newest report where days leave out older ones alone, and from the oldest where newer ones', async () => {
  const read = async (filter: { from: string } | { to: string }, direction: 'asc' | 'desc') => {
    const find = () => findReports(db, orgId, filter, { ...page, sortBy: 'received', direction });
    expect((await find()).total).toBeGreaterThan(3_000);
    return await watched.rowsOf('report', find);
  };
  expect(await read({ from: '2025-01-20' }, 'desc')).toBeLessThan(4 * page.limit);
  expect(await read({ to: '2025-12-10' }, 'asc')).toBeLessThan(4 * page.limit);
});

it('reads the open events that require action past any number of others', async () => {
  await sql`
    insert into event (org_id, id, type, severity, domain, dedup_key, title, message, link, created_at, resolved_at)
    select ${orgId}, gen_random_uuid(), type, 'info', domain, type || domain || n, 'T', 'M', '/', now() - n * interval '1 minute',
      case when type = 'malicious_source' and n < 2000 then now() end
    from generate_series(1, 2001) n, unnest(array['subdomain_discovered', 'malicious_source']) type,
      unnest(array['d0.example', 'd1.example', '']) domain`.execute(database.db);
  await sql`vacuum analyze event`.execute(database.db);
  for (const [domain, open] of [
    ['d0.example', 2],
    ['', 2],
    [undefined, 6],
  ] as const) {
    expect(await findOpenEvents(db, orgId, domain)).toHaveLength(open);
    expect(await watched.rowsOf('event', () => findOpenEvents(db, orgId, domain))).toBe(open);
    expect(await watched.readBy(() => findOpenEvents(db, orgId, domain))).toEqual(new Set(['event_to_act_on']));
  }
});

it('reads one report of a domain for its policy, and for a day of the score no older ones', async () => {
  const domainId = (await findDomainId(db, orgId, 'd0.example'))!;
  const day = '2025-12-31';
  const readPolicy = (today: Day) => () => findReportedPolicy(db, orgId, domainId, today);
  expect(await watched.rowsOf('report', readPolicy(day))).toBe(1);
  expect(await watched.readBy(readPolicy('2025-12-01'))).toEqual(new Set(['report_of_domain']));
  const read = await watched.rowsOf('report', async () => {
    for await (const history of findHistories(db, orgId, day, day)) expect(history.policies.length).toBeGreaterThan(0);
  });
  expect(read).toBeGreaterThanOrEqual(20); // the policy of each domain
  expect(read).toBeLessThan(200);
});

it('reads the days of each window for the score of a day, and no earlier ones', async () => {
  const day = '2025-12-31';
  const read = await watched.rowsOf('domain_day', async () => {
    for await (const history of findHistories(db, orgId, day, day)) expect(history.days.length).toBeGreaterThan(0);
  });
  expect(read).toBeGreaterThanOrEqual(20); // the newest of each domain
  expect(read).toBeLessThanOrEqual(20 * (1 + 30));
});

it.each([undefined, 'd0.example'])('reads the suspicious messages of days from their index, of %s', async (domain) => {
  const { pool } = database;
  const domainId = domain && (await findDomainId(db, orgId, domain));
  await pool.query(`update source_domain_day set suspicious = messages where host(source_ip) like '%.7'`);
  await pool.query('vacuum source_domain_day');
  const range = { from: '2025-03-01', to: '2025-10-01' } as const;
  const read = () => findClassedDays(db, orgId, range, domainId);
  const { rows } = await pool.query<{ day: string; suspicious: number }>(
    `select day::text as day, sum(messages)::int as suspicious from source_domain_day
     where org_id = $1 and host(source_ip) like '%.7' and day between $2 and $3
       and ($4::uuid is null or domain_id = $4) group by 1`,
    [orgId, range.from, range.to, domainId ?? null],
  );
  const found = await read();
  expect(rows.length).toBeGreaterThan(10);
  const sums = new Map(rows.map(({ day, suspicious }) => [day, suspicious]));
  const leftOf = ({ messages, compliant, forwarded }: (typeof found)[number]) => messages - compliant - forwarded;
  expect(found.map(({ suspicious }) => suspicious)).toEqual(
    found.map((each) => Math.min(sums.get(each.day) ?? 0, leftOf(each))),
  );
  const days = domainId ? await findDomainDays(db, orgId, domainId, range) : await findOrgDays(db, orgId, range);
  expect(found).toMatchObject(days.map(({ day, messages, compliant }) => ({ day, messages, compliant })));
  expect(await watched.readBy(read)).toContain('source_domain_day_suspicious');
  expect(await watched.visitedOf('source_domain_day', read)).toBeLessThan(rows.length * 10);
});

it('counts the addresses of the last days of a long list in an index alone', async () => {
  const today = '2025-12-31';
  const count = () => countWindowSources(db, orgId, today);
  const sources = await count();
  await database.db.updateTable('org_total').set({ sources_indexed: true }).where('org_id', '=', orgId).execute();
  expect(await count()).toBe(sources);
  expect(await watched.readBy(count)).toContain('source_total_by_last_day');
  expect(await watched.visitedOf('source_total', count)).toBeLessThan(sources);
});

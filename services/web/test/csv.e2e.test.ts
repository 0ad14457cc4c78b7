import { countEverything, givenReports } from '@dmarc-ledger/testkit';
import { idText, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPagesWorld, type PagesWorld } from '../../../test/support/pages.ts';

let world: PagesWorld;
let cookie: string;
let viewer: string;
let report: string;
const FORMULA = '=cmd|"/c calc"!A1';
/** More than two batches. */
const MANY = 1_203;
const today = new Date().toISOString().slice(0, 10);
const about = { begin: `${today}T00:00:00Z`, end: `${today}T23:59:59Z` };

beforeAll(async () => {
  world = await openPagesWorld();
  const { db } = world.database;
  const { orgId } = world;
  const records = Array.from({ length: MANY }, (_, i) => ({
    ip: `10.1.${i >> 8}.${i & 255}`,
    count: 1,
    dkim: i % 3 === 0,
    headerFrom: i === 7 ? FORMULA : 'example.com',
  }));
  const [first] = await givenReports(db, orgId, [
    { ...about, domain: 'example.com', reporter: FORMULA, records },
    { ...about, domain: 'example.org', reporter: 'google.com', records: [{ ip: '192.0.2.9', count: 4 }] },
  ]);
  report = idText(first ?? '');
  const reports = await db.selectFrom('report').selectAll().where('domain', '=', 'example.org').execute();
  const [template] = reports;
  const copies = Array.from({ length: MANY }, (_, i) => ({
    ...template,
    id: newId(),
    identity: Buffer.from(`copy ${i}`),
    metadata: JSON.stringify(template?.metadata),
    policy: JSON.stringify(template?.policy),
  }));
  for (let at = 0; at < MANY; at += 200)
    await db
      .insertInto('report')
      .values(copies.slice(at, at + 200) as never)
      .execute();
  await sql`
    insert into stored_record select (jsonb_populate_record(null::stored_record,
      to_jsonb(s) || jsonb_build_object('report_id', r.id))).*
    from stored_record s join report r on r.domain_id = s.domain_id and r.id <> s.report_id
    where s.report_id = ${template?.id}`.execute(db);
  await countEverything(db, orgId);
  for (let at = 0; at < MANY; at += 200)
    await db
      .insertInto('raw_message')
      .values(
        Array.from({ length: Math.min(200, MANY - at) }, (_, i) => ({
          org_id: orgId,
          id: newId(),
          sha256: Buffer.from(`delivery ${at + i}`.padEnd(32)),
          size: 1,
          source: 'upload',
          name: FORMULA,
          state: 'refused',
          code: 'not_a_report',
        })) as never,
      )
      .execute();
  await db
    .insertInto('event')
    .values({
      org_id: orgId,
      id: newId(),
      type: 'new_source',
      dedup_key: 'one',
      severity: 'info',
      title: FORMULA,
      message: 'two\nlines',
      domain: 'example.com',
      link: '',
    } as never)
    .execute();
  await db
    .insertInto('failure_report')
    .values({
      org_id: orgId,
      id: newId(),
      reported_domain: 'example.com',
      source_ip: '192.0.2.9',
      incidents: 1,
      auth_failure: 'dmarc',
      dkim_domains: [FORMULA],
      rcpt_to_domains: [],
      warnings: '[]',
      payload_sha256: Buffer.alloc(32),
      message_id: newId(),
      document: '',
      received_at: new Date(),
    } as never)
    .execute();
  cookie = await cookieOf(world.owner, 'owner');
  viewer = await cookieOf('viewer@example.com', 'viewer');
});
afterAll(async () => await world[Symbol.asyncDispose]());

async function cookieOf(email: string, role: 'owner' | 'viewer') {
  const page = await world.signedIn(email, role);
  const cookies = await page.context().cookies();
  await page.context().close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function ask(path: string, as = cookie) {
  const response = await fetch(`${world.origin}${path}`, { headers: { cookie: as }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Lines of a file without its header; a quoted line end does not end a line. */
function rowsOf(text: string): string[] {
  return text.split('\r\n').slice(1, -1);
}

it('saves the addresses of one sender as CSV, as many as its page counts', async () => {
  const { text: senders } = await ask('/senders?domain=example.com');
  const href = /href="(\/senders\/sender\?[^"]+)"/.exec(senders)?.[1] ?? '';
  const path = href.replaceAll('&amp;', '&');
  const counted = /([\d,]+) address(?:es)? that sent/.exec((await ask(path)).text)?.[1] ?? '';
  const { headers, text } = await ask(`${path}&format=csv`);
  expect(headers.get('content-disposition')).toBe('attachment; filename="addresses-of-sender.csv"');
  expect(rowsOf(text).length).toBeGreaterThan(0);
  expect(rowsOf(text)).toHaveLength(Number(counted.replaceAll(',', '')));
});

it('saves every list as CSV, all its pages, with nothing that a spreadsheet runs', async () => {
  const lists: [path: string, file: string, rows: number | undefined][] = [
    ['/domains?format=csv', 'domains.csv', 2],
    ['/senders?format=csv', 'addresses.csv', MANY + 1],
    ['/senders?format=senders', 'senders.csv', undefined],
    ['/reports?format=csv', 'reports.csv', MANY + 2],
    [`/reports/${report}?format=csv`, `records-${report}.csv`, MANY],
    ['/sources/10.1.0.7?format=csv', 'reports-of-address.csv', 1],
    ['/sources/192.0.2.9?format=csv', 'reports-of-address.csv', MANY + 1],
    ['/sources/192.0.2.9?format=csv&domain=example.org', 'reports-of-address.csv', MANY + 1],
    ['/events?format=csv', 'events.csv', 1],
    ['/tls?format=csv', 'tls-failures.csv', 0],
    ['/failures?format=csv', 'failure-reports.csv', 1],
    ['/reporters?format=csv', 'reporters.csv', 2],
    ['/settings/ingest?format=csv', 'deliveries.csv', MANY],
    ['/enforcement?format=csv', 'enforcement.csv', 2],
  ];
  let disarmed = 0;
  for (const [path, file, count] of lists) {
    const { status, headers, text } = await ask(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${file}"`);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const rows = rowsOf(text);
    expect({ path, rows: rows.length }).toEqual({ path, rows: count ?? rows.length });
    expect(new Set(rows).size).toBe(rows.length);
    expect(text).not.toMatch(/(?:^|,)"?[=@]/m);
    disarmed += text.includes(`'=cmd`) ? 1 : 0;
  }
  expect(disarmed).toBeGreaterThanOrEqual(6);
}, 120_000);

it('lists the domains with the confidence in each rate, and with the verdict on the next step', async () => {
  for (const path of ['/domains', '/enforcement']) {
    const { text } = await ask(path);
    const [header, ...rows] = (await ask(`${path}?format=csv`)).text.trimEnd().split('\r\n');
    const at = header!.split(',').indexOf('confidence');
    const levels = rows.map((row) => row.split(',').at(at));
    expect(levels).not.toEqual([]);
    expect(levels.every((level) => ['high', 'medium', 'low', 'unknown'].includes(level!))).toBe(true);
    for (const level of levels) expect(text).toContain(level === 'unknown' ? 'confidence not known' : `${level} conf`);
  }
  expect((await ask('/enforcement')).text).toContain('Not enough data<div');
  expect((await ask('/enforcement?format=csv')).text).toContain(',not enough data,quarantine,');
});

it('saves what the filter of the page shows', async () => {
  const filtered: [path: string, rows: number][] = [
    ['/reports?domain=example.com&format=csv', 1],
    ['/reports?domain=example.com&offset=50&format=csv', 1],
    ['/senders?domain=example.org&format=csv', 1],
    ['/events?domain=example.org&format=csv', 0],
    [`/reports/${report}?address=10.1.0.9&format=csv`, 1],
    ['/settings/ingest?state=stored&format=csv', 0],
    ['/settings/ingest?code=not_a_report&format=csv', MANY],
    ['/failures?domain=example.org&format=csv', 0],
    ['/domains?search=org&format=csv', 1],
  ];
  for (const [path, count] of filtered)
    expect({ path, rows: rowsOf((await ask(path)).text).length }).toEqual({ path, rows: count });
  const page = await ask('/senders?failing=1');
  const saved = rowsOf((await ask('/senders?failing=1&format=csv')).text);
  expect(page.text).toMatch(new RegExp(`of ${saved.length.toLocaleString('en-GB')}\\b`));
});

it('saves nothing for a role that may not open the page', async () => {
  for (const path of ['/reports', `/reports/${report}`, '/failures', '/tls', '/events', '/settings/ingest'])
    expect({ path, status: (await ask(`${path}?format=csv`, viewer)).status }).toEqual({ path, status: 403 });
});

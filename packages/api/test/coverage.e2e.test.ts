import { addDomain } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

type Organization = Awaited<ReturnType<typeof givenOrganization>>;

const TODAY = '2026-03-10';
let served: Served;
let org: Organization;
let other: Organization;

const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });
const back = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => addDays(TODAY, -from + i));
const named = (reporter: string, email: string, days: string[]) =>
  days.map((day) => ({ domain: 'named.example', reporter, metadata: { email }, ...on(day), records: [{ count: 10 }] }));
const reports = (domain: string, reporter: string | null, days: string[], count: number, warnings = [] as Warnings) =>
  days.map((day) => ({ domain, reporter, ...on(day), records: [{ count }], warnings }));
type Warnings = { code: string; detail: string | null }[];

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Covered');
  other = await givenOrganization(served, 'Other');
  await addDomain(served.db, org.id, 'quiet.example', {});
  await givenReports(served.db, org.id, [
    ...reports('a.example', 'google.com', back(60, 9), 600),
    ...reports('a.example', 'Yahoo', back(60, 1), 300),
    ...reports('a.example', 'now and then', [addDays(TODAY, -20), addDays(TODAY, -3)], 100),
    // dropped records: 7 in this report of one record with 50 messages
    ...reports('a.example', 'odd', [addDays(TODAY, -5)], 50, [
      { code: 'source_ip_missing', detail: 'record 2, 3, 4, 5, 6 and 1 more' },
      { code: 'count_missing', detail: 'record 8' },
    ]),
    ...reports('a.example', 'twice', [addDays(TODAY, -4)], 40, [
      { code: 'duplicate_report_id_conflict', detail: null },
    ]),
    ...reports('a.example', 'forged', [addDays(TODAY, -4)], 60),
    ...reports('a.example', 'tomorrow', [addDays(TODAY, 1)], 1_000),
    ...named('google.com', 'noreply-dmarc-support@google.com', back(60, 9)),
    ...named('google.com', 'dmarc@evil.example', back(60, 1)),
    ...named('Yahoo! Inc.', 'dmarc-noreply@yahoo-inc.com', back(60, 9)),
    ...named('Yahoo! Inc.', 'dmarc-noreply@yahooinc.com', back(8, 1)),
    ...reports('one.example', 'google.com', [addDays(TODAY, -6)], 1),
    // no end, and a window of three weeks, whose midpoint is their day
    {
      domain: 'long.example',
      reporter: 'a',
      begin: `${addDays(TODAY, -9)}T12:00:00Z`,
      end: null,
      records: [{ count: 3 }],
    },
    {
      domain: 'long.example',
      reporter: 'b',
      begin: `${addDays(TODAY, -40)}T00:00:00Z`,
      end: `${addDays(TODAY, -18)}T00:00:00Z`,
      records: [{ count: 4 }],
    },
  ]);
  await sql`update report set unauthenticated = true where org_id = ${org.id} and reporter_name = 'forged'`.execute(
    served.db,
  );
});
afterAll(() => served[Symbol.asyncDispose]());

const coverage = async (of: Organization, path: string) =>
  await served.get(`/ext/v1/domains/${path}`, { authorization: `Bearer ${of.key}` });
const ofDay = (body: { by_day: { day: string }[] }, ago: number) =>
  body.by_day.find(({ day }) => day === addDays(TODAY, -ago));

describe('reports that strangers write', () => {
  const odd = '\u202e"><script>\u0007%_\\ 😀';

  it('may have more reporters than are judged, with odd names and the largest counts', async () => {
    const strangers = await givenOrganization(served, 'Strangers');
    const names = Array.from({ length: 1_005 }, (_, i) => (i === 0 ? odd : `reporter ${String(i).padStart(4, '0')}`));
    await givenReports(served.db, strangers.id, [
      ...names.flatMap((name, i) => reports('a.example', name, back(4, i < 1_000 ? 3 : 4).slice(0, 2), 1)),
      ...reports('a.example', null, back(60, 8), 5),
      ...reports('a.example', 'steady', back(60, 2), 9_007_199_254),
      ...reports('a.example', 'tomorrow', [addDays(TODAY, 2), '2030-01-01', '2099-12-31'], 1_000),
    ]);
    const { status, body } = await coverage(strangers, 'a.example/coverage');
    expect(status).toBe(200);
    expect(body).toMatchObject({ reporters_total: 1_000, messages: 2_005 + 22 * 5 + 28 * 9_007_199_254 });
    expect(body.reporters).toHaveLength(200);
    expect(body.reporters[0]).toMatchObject({ name: 'steady', state: 'reporting' });
    expect(body.silent_reporters).toMatchObject([{ name: '', is_large: false }]);
    expect(body.silent_reporters[0].text).toMatch(/^The reporter without a name has fallen silent: /);
    const senders = await served.get('/ext/v1/senders', { authorization: `Bearer ${strangers.key}` });
    expect(senders.status).toBe(200);
  });
});

describe('reports in the name of a known receiver', () => {
  it('count for a reporter of their own where they have the contact address of another', async () => {
    const { body } = await coverage(org, 'named.example/coverage');
    expect(body.silent_reporters).toMatchObject([{ name: 'google.com', last_day: addDays(TODAY, -9) }]);
    expect(body.reporters.map(({ name, state, messages }: Record<string, unknown>) => [name, state, messages])).toEqual(
      [
        ['Yahoo! Inc.', 'reporting', 290],
        ['google.com (evil.example)', 'reporting', 290],
        ['google.com', 'silent', 210],
      ],
    );
  });

  it('are listed and found by the name that they state', async () => {
    const list = async (filter: string) =>
      (await served.get(`/v1/reports?${filter}&limit=200`, { authorization: `Bearer ${org.key}` })).body;
    const { reports: listed } = await list('domain=named.example&sort_by=org_name');
    const names = listed.map(({ org_name }: { org_name: string }) => org_name);
    expect(new Set(names)).toEqual(new Set(['google.com', 'Yahoo! Inc.']));
    expect(await list('domain=named.example&org=google.com')).toMatchObject({ total: 52 + 60 });
    expect(await list('org=evil.example')).toMatchObject({ total: 0 });
  });
});

describe('how much the figures of a domain show', () => {
  it('says that a large reporter fell silent, with what it used to bring', async () => {
    const { status, body } = await coverage(org, 'a.example/coverage');
    expect(status).toBe(200);
    expect(body).toMatchObject({ domain: 'a.example', days: 30, from: '2026-02-09', to: TODAY });
    expect(body.silent_reporters).toEqual([
      {
        name: 'google.com',
        last_day: '2026-03-01',
        silent_days: 7,
        chance: expect.any(Number),
        usual_messages: 600,
        usual_rate: 66.23,
        is_large: true,
        text: 'The large reporter google.com has fallen silent: no report about the last 7 days on which others reported. It used to bring 600 messages a day, 66.2 % of the mail.',
      },
    ]);
    expect(body.findings[0]).toBe(body.silent_reporters[0].text);
    expect(body.reporters[0]).toMatchObject({ name: 'google.com', state: 'silent', expected_days: 28, absent_days: 7 });
    expect(body.confidence).toMatchObject({ level: 'low', seen_rate: expect.any(Number) });
  });

  it('counts for each day who was expected, what is in doubt and what was dropped', async () => {
    const { body } = await coverage(org, 'a.example/coverage');
    expect(body.by_day).toHaveLength(30);
    expect(ofDay(body, 12)).toMatchObject({ state: 'reported', expected_reporters: 2, absent_reporters: 0 });
    expect(ofDay(body, 4)).toMatchObject({
      reports: 3,
      messages: 400,
      reporters: 2,
      expected_reporters: 2,
      absent_reporters: 1,
      unauthenticated_messages: 60,
      conflicting_messages: 40,
      doubtful_messages: 100,
      doubtful_rate: 25,
      unseen_messages: 600,
    });
    expect(ofDay(body, 5)).toMatchObject({ dropped_records: 7, messages: 350, unseen_messages: 600 + 350 });
    expect(ofDay(body, 1)).toMatchObject({ state: 'not_due', expected_reporters: 0, messages: 300 });
    // seven days without google.com, and seven records of as many messages as the one that was read
    expect(body.unseen_messages).toBe(7 * 600 + 7 * 50);
    const sum = body.by_day.reduce((total: number, { messages }: { messages: number }) => total + messages, 0);
    expect([sum, body.messages]).toEqual([body.messages, 21 * 600 + 29 * 300 + 200 + 50 + 40 + 60]);
  });

  it('counts the same messages as trends, whatever windows the reports have', async () => {
    for (const domain of ['a.example', 'long.example', 'one.example']) {
      const { body } = await coverage(org, `${domain}/coverage?days=60`);
      const trends = await served.get(`/v1/trends?domain=${domain}&days=60`, { authorization: `Bearer ${org.key}` });
      const points: { total_messages: number }[] = trends.body.points;
      expect([domain, body.messages]).toEqual([domain, points.reduce((sum, each) => sum + each.total_messages, 0)]);
    }
  });

  it('has no confidence for a domain without reports, or with one', async () => {
    const none = await coverage(org, 'quiet.example/coverage');
    expect(none.body).toMatchObject({ messages: 0, reporters: [], findings: [], silent_reporters_total: 0 });
    expect(none.body.confidence).toMatchObject({ level: 'unknown', seen_rate: null });
    const once = await coverage(org, 'one.example/coverage');
    expect(once.body).toMatchObject({ messages: 1, compliance_rate: 100, reporters_total: 1 });
    expect(once.body.confidence.level).toBe('unknown');
  });

  it('stands beside the verdict of enforcement and the rate of each sender', async () => {
    const { body } = await coverage(org, 'a.example/coverage');
    const enforcement = await coverage(org, 'a.example/enforcement');
    expect(enforcement.body.confidence).toEqual(body.confidence);
    const senders = await served.get('/ext/v1/senders', { authorization: `Bearer ${org.key}` });
    const levels = senders.body.senders.map(
      ({ domain, confidence }: { domain: string; confidence: { level: string } }) => [domain, confidence.level],
    );
    expect(levels).toContainEqual(['a.example', 'low']);
    expect(levels).toContainEqual(['one.example', 'unknown']);
  });

  it.each(['7', '31', 'x'])('refuses %s days', async (days) => {
    const { status, body } = await coverage(org, `a.example/coverage?days=${days}`);
    expect([status, body.error]).toEqual([400, 'Invalid Days']);
  });

  it('answers about a domain of another organization as about one that does not exist', async () => {
    const theirs = await coverage(other, 'a.example/coverage');
    expect([theirs.status, theirs.text]).toEqual([404, (await coverage(other, 'unknown.example/coverage')).text]);
  });
});

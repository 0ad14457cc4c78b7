import { addDomain, decideSender } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, TODAY, type Served } from './served.ts';

type Organization = Awaited<ReturnType<typeof givenOrganization>>;

let served: Served;
let org: Organization;
let other: Organization;

const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });
const exact = (domain: string) => ({
  dkimResults: [
    { domain: 'service.example', selector: 's', result: 'pass' as const, humanResult: null },
    { domain, selector: 's', result: 'pass' as const, humanResult: null },
  ],
  dkimAligned: [false, true],
});
const passing = (count: number) => ({ ip: '192.0.2.1', count, ...exact('a.example') });
const published = { p: 'quarantine', sp: 'none', aspf: 's' } as const;
/** Of reports that end together, each may be the newest: all of the last day name one policy. */
const policyOn = (day: string) => (day === '2026-03-10' ? published : { p: 'none' as const });
const failing = { dkim: false, spf: false };

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Enforcement');
  other = await givenOrganization(served, 'Other');
  const days = Array.from({ length: 14 }, (_, i) => `2026-03-${String(i - 3).padStart(2, '0')}`).filter(
    (_, i) => i > 3,
  );
  await givenReports(served.db, org.id, [
    ...days.map((day) => ({ domain: 'a.example', ...on(day), policy: policyOn(day), records: [passing(100)] })),
    ...['2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28'].map((day) => ({
      domain: 'a.example',
      ...on(day),
      records: [passing(50)],
    })),
    {
      domain: 'a.example',
      ...on('2026-03-10'),
      policy: published,
      records: [
        { ip: '198.51.100.1', count: 30, ...failing },
        { ip: '198.51.100.2', count: 5, ...failing, disposition: 'quarantine' as const },
        { ip: '203.0.113.9', count: 7, ...failing, disposition: 'reject' as const },
        { ip: '203.0.113.9', count: 2, ...failing, headerFrom: 'news.a.example' },
        { ip: '203.0.113.9', count: 3, ...failing, headerFrom: 'gone.a.example' },
        // passes, but not with the exact domain
        { ip: '198.51.100.1', count: 11, ...exact('mail.a.example') },
      ],
    },
    { domain: 'a.example', ...on('2026-01-20'), records: [{ ip: '203.0.113.9', count: 1_000, ...failing }] },
    {
      domain: 'a.example',
      ...on('2026-03-11'),
      policy: published,
      records: [{ ip: '203.0.113.9', count: 500, ...failing }],
    },
    { domain: 'news.a.example', ...on('2026-03-09'), records: [{ ip: '203.0.113.9', count: 9, ...failing }] },
  ]);
  await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, facts, checked_at, changed_at)
    select org_id, id, 'subdomains', 'ok', false, '{"absent": ["gone.a.example"]}'::jsonb, now(), now() from domain
    where org_id = ${org.id} and name = 'a.example'`.execute(served.db);
  await sql`update source_total set service_slug = 'sendgrid' where org_id = ${org.id} and source_ip <<= '198.51.100.0/24'`.execute(
    served.db,
  );
});
afterAll(() => served[Symbol.asyncDispose]());

interface Stage {
  stage: string;
  tags: string | null;
  record: string | null;
  is_current: boolean;
}

/** A step without its senders. */
function figuresOf(step: { [field: string]: unknown }) {
  return Object.fromEntries(Object.entries(step).filter(([field]) => !field.startsWith('senders')));
}

async function enforcement(of: Organization, path: string) {
  return await served.get(`/ext/v1/domains/${path}`, { authorization: `Bearer ${of.key}` });
}

describe('what a stricter policy would have done', () => {
  it('counts for each step the mail of its From domains, and what receivers treated more mildly', async () => {
    const { status, body } = await enforcement(org, 'a.example/enforcement');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      domain: 'a.example',
      days: 30,
      from: '2026-02-09',
      to: '2026-03-10',
      policy: { p: 'quarantine', sp: 'none', np: null, adkim: 'r', aspf: 's' },
      next_step: 'reject',
    });
    const undecided = (messages: number) => ({ ours: 0, forwarded: 0, not_ours: 0, undecided: messages });
    expect(body.steps.map(figuresOf)).toEqual([
      step('quarantine', 1_253, 42, 30, undecided(30)),
      step('reject', 1_253, 42, 35, undecided(35)),
      step('sp_reject', 2, 2, 2, undecided(2)),
      step('np_reject', 3, 3, 3, undecided(3)),
      step('strict', 1_258, 47, 11, undecided(11)),
    ]);
  });

  it('says what is known of a sender that fails: a repair, a key that stands, what its mail looks like', async () => {
    const mail = await givenOrganization(served, 'Repaired');
    const repaired = { ip: '198.51.100.70', count: 60 };
    await givenReports(served.db, mail.id, [
      { domain: 'r.example', ...on('2026-02-20'), records: [{ ...repaired, ...failing }] },
      { domain: 'r.example', ...on('2026-02-21'), records: [{ ...repaired, ...exact('r.example') }] },
      { domain: 'r.example', ...on('2026-02-22'), records: [{ ip: '203.0.113.77', count: 40, ...failing }] },
    ]);
    await sql`update source_total set service_slug = 'sendgrid' where org_id = ${mail.id} and source_ip = '198.51.100.70'`.execute(
      served.db,
    );
    await sql`update source_domain set suspicious = messages where org_id = ${mail.id} and source_ip = '203.0.113.77'`.execute(
      served.db,
    );
    const keys = [
      { domain: 'r.example', selector: 's1', kind: 'rsa', bits: 2048 },
      { domain: 'r.example', selector: 's2', kind: 'absent' },
    ];
    await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, facts, checked_at, changed_at)
      select org_id, id, 'dkim', 'ok', true, ${JSON.stringify(keys)}::jsonb, now(), now() from domain
      where org_id = ${mail.id} and name = 'r.example'`.execute(served.db);
    const { body } = await enforcement(mail, 'r.example/enforcement');
    const [service, stranger] = body.steps[1].senders;
    expect(service.fix).toContain('Nothing of it has failed since 2026-02-20, and 60 messages passed');
    expect(service.fix).toContain('A key is published at s1._domainkey.r.example already');
    expect(stranger.fix).toMatch(/^Decide whether 203\.0\.113\.0\/24 is a stranger, as most that fails looks forged/);
  });

  it('names the senders of each step, most messages first, with what to do', async () => {
    const { body } = await enforcement(org, 'a.example/enforcement?days=60');
    expect(body.steps[1].senders).toEqual([
      {
        id: '203.0.113.0/24',
        slug: null,
        name: '203.0.113.0/24',
        addresses: 1,
        messages: 1_000,
        decision: null,
        is_blocker: true,
        fix: expect.stringMatching(/^Decide whether 203\.0\.113\.0\/24 sends for you\./),
      },
      {
        id: 'sendgrid',
        slug: 'sendgrid',
        name: 'Twilio SendGrid',
        addresses: 2,
        messages: 35,
        decision: null,
        is_blocker: true,
        fix: expect.stringContaining('Settings > Sender Authentication'),
      },
    ]);
  });

  it('follows a decision at once', async () => {
    const before = await enforcement(org, 'a.example/enforcement');
    expect(before.body.verdict).toBe('ready after 1 fix');
    await decideSender(
      served.db,
      org.id,
      { domain: 'a.example', sender: 'sendgrid' },
      { decision: 'not_ours', owner: '', note: '', by: 'ops@example.com' },
    );
    const { body } = await enforcement(org, 'a.example/enforcement');
    expect(body.steps[1].by_decision).toEqual({ ours: 0, forwarded: 0, not_ours: 35, undecided: 0 });
    expect(body).toMatchObject({ verdict: 'ready', next_step: 'reject' });
  });

  it('shows the way with the record of each stage, and where the domain stands', async () => {
    const { body } = await enforcement(org, 'a.example/enforcement');
    expect(body.path.filter((stage: Stage) => stage.is_current)).toMatchObject([{ stage: 'quarantine' }]);
    expect(body.path.map(({ stage, record }: Stage) => [stage, record])).toContainEqual([
      'test',
      'v=DMARC1; p=quarantine; sp=none; t=y; aspf=s; rua=mailto:reports@example.com',
    ]);
    // no check has run: the tags are to be changed in the record that stands
    expect(body.is_record_read).toBe(false);
    expect(body.path.map(({ stage, tags }: Stage) => [stage, tags])).toEqual([
      ['unpublished', null],
      ['monitor', 'p=none'],
      ['test', 'p=quarantine; t=y'],
      ['quarantine', 'p=quarantine'],
      ['reject', 'p=reject'],
      ['subdomains', 'p=reject; sp=reject; np=reject'],
    ]);
    expect(body.readiness).toMatchObject([{ topic: 'record', state: 'unknown' }]);
  });

  it('has no verdict without enough mail on enough days', async () => {
    const { body } = await enforcement(org, 'news.a.example/enforcement?days=90');
    expect(body).toMatchObject({ verdict: 'not enough data', days: 90 });
    expect(body.verdict_text).toBe(
      '9 messages on 1 day with reports in the last 90 days are too few to judge: 100 messages on 14 days are needed.',
    );
  });

  it.each(['7', '31', '365', '0', 'x', '30.0'])('refuses %s days', async (days) => {
    const { status, body } = await enforcement(org, `a.example/enforcement?days=${days}`);
    expect([status, body]).toEqual([400, expect.objectContaining({ error: 'Invalid Days' })]);
    expect(body.detail ?? body.message).toBe('days must be the number 30, 60 or 90.');
  });

  it('answers about a domain of another organization as about one that does not exist', async () => {
    const [theirs, nobodys] = [
      await enforcement(other, 'a.example/enforcement'),
      await enforcement(other, 'unknown.example/enforcement'),
    ];
    expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
    expect((await enforcement(org, 'no_domain/enforcement')).status).toBe(400);
  });
});

function step(name: string, messages: number, failing: number, affected: number, decided: object) {
  return {
    step: name,
    messages,
    failing_messages: failing,
    newly_affected_messages: affected,
    by_decision: decided,
  };
}

const sumOf = (rows: { [key: string]: number }[], key: string) => rows.reduce((sum, row) => sum + row[key]!, 0);

describe('the list of all domains', () => {
  const list = async (of: Organization, query = '') =>
    await served.get(`/ext/v1/enforcement${query}`, { authorization: `Bearer ${of.key}` });

  it('says of each domain what its own answer says', async () => {
    const { status, body } = await list(org);
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: body.domains.length, limit: 50, offset: 0 });
    expect(body.domains.map(({ domain }: { domain: string }) => domain)).toContain('a.example');
    for (const { domain, stage, verdict, next_step, policy, ...mail } of body.domains) {
      const { body: own } = await enforcement(org, `${domain}/enforcement`);
      expect({ verdict, next_step, policy }).toEqual({
        verdict: own.verdict,
        next_step: own.next_step,
        policy: own.policy,
      });
      expect(own.path.find(({ is_current }: { is_current: boolean }) => is_current).stage).toBe(stage);
      const { body: days } = await served.get(`/v1/trends?domain=${domain}&days=30`, {
        authorization: `Bearer ${org.key}`,
      });
      expect(mail).toMatchObject({
        messages: sumOf(days.points, 'total_messages'),
        failing_messages: sumOf(days.points, 'failed_messages'),
      });
    }
  });

  it('gives page after page, by name', async () => {
    const { body: all } = await list(org);
    const names: string[] = [];
    for (let offset = 0; offset < all.total; offset += 1)
      names.push((await list(org, `?limit=1&offset=${offset}`)).body.domains[0].domain);
    expect(names).toEqual(all.domains.map(({ domain }: { domain: string }) => domain));
    expect(names).toEqual(names.toSorted());
    expect((await list(org, '?offset=1000')).body).toMatchObject({ domains: [], total: all.total });
  });

  it('has no domain of another organization', async () => {
    const { body } = await list(other);
    const { body: own } = await list(org);
    expect(own.total).toBeGreaterThan(body.total);
  });
});

describe('a domain without a valid record', () => {
  const findRecords = async (records: readonly string[]) => {
    await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, records, checked_at, changed_at)
      select org_id, id, 'dmarc', 'error', ${records.length > 0}, ${[...records]}::text[],
        timestamptz '2026-03-10 08:00Z', now()
      from domain where org_id = ${org.id} and name = 'a.example'
      on conflict (org_id, domain_id, subject) do update set has_record = excluded.has_record,
        records = excluded.records`.execute(served.db);
    await sql`update org_total set changes = changes + 1 where org_id = ${org.id}`.execute(served.db);
  };

  it.each([
    ['none', [], 'unpublished', /^a\.example publishes no DMARC record/, true],
    ['several', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'quarantine', /is no valid DMARC record/, false],
    ['a broken one', ['v=DMARC1; p=rejcet'], 'quarantine', /is no valid DMARC record/, false],
  ] as const)('that has %s is not ready for a stricter policy', async (_, records, stage, text, isRead) => {
    await findRecords(records);
    const { body } = await enforcement(org, 'a.example/enforcement');
    expect(body).toMatchObject({ verdict: 'no valid record', is_record_read: isRead });
    expect(body.verdict_text).toMatch(text);
    const { body: all } = await served.get('/ext/v1/enforcement', { authorization: `Bearer ${org.key}` });
    expect(all.domains.find(({ domain }: { domain: string }) => domain === 'a.example')).toMatchObject({
      verdict: 'no valid record',
      stage,
    });
  });
});

describe('where a record above may apply', () => {
  interface Found {
    inheritedFrom?: string;
    isBelow?: boolean;
  }
  const given = async (name: string, record: string, { inheritedFrom, isBelow }: Found = {}) => {
    const { id } = await addDomain(served.db, org.id, name, {});
    await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, records, inherited_from, facts,
        policy_read_at, checked_at, changed_at)
      values (${org.id}, ${id}, 'dmarc', 'warning', true, ${[record]}::text[], ${inheritedFrom ?? null},
        ${JSON.stringify({ isBelow })}::jsonb, ${TODAY}, ${TODAY}, ${TODAY})`.execute(served.db);
  };
  const readinessOf = (body: { readiness: { topic: string; state: string; text: string }[] }, topic: string) =>
    body.readiness.find((item) => item.topic === topic)!;

  it.each([
    [false, 'none', 'p=quarantine; sp=none', 'quarantine'],
    [true, 'none', 'p=quarantine', 'quarantine'],
    [undefined, 'none', 'p=quarantine; sp=none', 'quarantine'],
    [false, 'reject; sp=none', 'p=reject', 'sp_reject'],
    [true, 'reject; sp=none', 'p=reject', null],
  ])('keeps what applies below it, and has steps for that, where a record above is %s: p=%s', async (...each) => {
    const [isBelow, p, tags, step] = each;
    const domain = `p${p.length}-${String(isBelow)}.uni.test`;
    await given(domain, `v=DMARC1; p=${p}`, isBelow === undefined ? {} : { isBelow });
    const { body } = await enforcement(org, `${domain}/enforcement`);
    expect(body.next_step).toBe(step);
    const stage = tags.startsWith('p=quarantine') ? 'quarantine' : 'reject';
    expect(body.path.find((at: Stage) => at.stage === stage)).toMatchObject({ tags });
    expect(body.path.some((at: Stage) => at.stage === 'subdomains')).toBe(isBelow === false);
    expect(readinessOf(body, 'np').state).toBe(isBelow === false ? 'change' : 'ok');
  });

  const walkOf = async (domain: string) => {
    const { body } = await enforcement(org, `${domain}/enforcement`);
    return readinessOf(body, 'tree_walk');
  };

  it.each([
    ['psd=n makes the domain the organizational one', 'v=DMARC1; p=none; psd=n', null, 'mail.corp.test', 'change'],
    ['an inherited psd=y puts it one label below', 'v=DMARC1; p=none; psd=y', 'bank', 'shop.bank', 'ok'],
    [
      'an inherited psd=y in the name of the suffix list puts it one label below that',
      'v=DMARC1; p=none; psd=y',
      'bank.example',
      'mega.bank.example',
      'change',
    ],
  ])('%s', async (_, record, inheritedFrom, found, state) => {
    const domain = inheritedFrom === 'bank.example' ? 'mail.mega.bank.example' : found;
    await given(domain, record, inheritedFrom === null ? {} : { inheritedFrom });
    const walk = await walkOf(domain);
    expect(walk.state).toBe(state);
    expect(walk.text).toMatch(new RegExp(`^By tree walk .*is ${found.replaceAll('.', String.raw`\.`)}[,.]`));
    expect(walk.text).not.toContain('Publish a DMARC record');
  });

  it('ends one label below the domain above that has psd=y', async () => {
    await given('suffix.test', 'v=DMARC1; p=none; psd=y');
    await given('mail.own.suffix.test', 'v=DMARC1; p=none');
    const walk = await walkOf('mail.own.suffix.test');
    expect(walk.text).toContain('of mail.own.suffix.test is own.suffix.test, by suffix list suffix.test');
    expect(walk.text).toContain('the record of suffix.test has psd=y');
  });
});

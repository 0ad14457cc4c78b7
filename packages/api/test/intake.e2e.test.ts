import { idText, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

type Organization = Awaited<ReturnType<typeof givenOrganization>>;

let served: Served;
let org: Organization;
let other: Organization;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Intake');
  other = await givenOrganization(served, 'Other');
  const deliveries = [
    { state: 'stored', at: '2026-03-09T08:00:00Z' },
    { state: 'stored', at: '2026-03-08T08:00:00Z' },
    { state: 'duplicate', at: '2026-03-07T08:00:00Z' },
    { state: 'refused', code: 'xml_malformed', at: '2026-03-06T08:00:00Z', name: '<b>report</b>.xml' },
    { state: 'quarantined', code: 'parse_crashed', at: '2026-03-05T08:00:00Z' },
    { state: 'refused', code: 'no_report', at: '2025-12-01T08:00:00Z' },
  ];
  const began = Date.now();
  for (const [i, { state, code = null, at, name = null }] of deliveries.entries()) {
    const id = newId(began + i);
    const parts = code && JSON.stringify([{ path: 'a.xml', outcome: 'refused', code, message: `Sentence ${i}.` }]);
    await sql`
      insert into raw_message (org_id, id, sha256, size, source, state, code, name, received_at, parts)
      values (${org.id}, ${id}, ${Buffer.alloc(32, i)}, 100, 'file', ${state}, ${code}, ${name}, ${at},
        ${parts}::jsonb)`.execute(served.db);
  }
});
afterAll(() => served[Symbol.asyncDispose]());

const get = async (of: Organization, path: string) =>
  await served.get(`/ext/v1${path}`, { authorization: `Bearer ${of.key}` });

describe('whether reports arrive', () => {
  it('is said by the deliveries of the days, by outcome, and by when the newest came', async () => {
    const { status, body } = await get(org, '/intake?days=7');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      days: 7,
      from: '2026-03-04',
      to: '2026-03-10',
      deliveries: 5,
      refused: 2,
      newest_at: '2026-03-09T08:00:00Z',
      mailboxes: [],
    });
    expect(body.by_outcome[0]).toEqual({
      state: 'stored',
      code: null,
      deliveries: 2,
      newest_at: '2026-03-09T08:00:00Z',
    });
  });

  it('comes with the newest refusals and their sentences, older ones included', async () => {
    const { body } = await get(org, '/intake?days=7');
    const codes = body.refusals.map(({ code, message, name }: { [field: string]: string }) => [code, message, name]);
    expect(codes).toEqual([
      ['no_report', 'Sentence 5.', null],
      ['parse_crashed', 'Sentence 4.', null],
      ['xml_malformed', 'Sentence 3.', '<b>report</b>.xml'],
    ]);
  });

  it('is nothing for an organization that has received nothing', async () => {
    const { body } = await get(other, '/intake');
    expect(body).toMatchObject({ deliveries: 0, refused: 0, newest_at: null, by_outcome: [], refusals: [] });
  });
});

describe('what changed in the DNS', () => {
  beforeAll(async () => {
    const domain = newId();
    await sql`insert into domain (org_id, id, name, source) values (${org.id}, ${domain}, 'a.example', 'manual')`.execute(
      served.db,
    );
    const changes = [
      {
        at: '2026-02-01T00:00:00Z',
        before: 'unknown',
        status: 'ok',
        records: ['v=DMARC1; p=reject'],
        is_partial: false,
      },
      { at: '2026-03-05T09:00:00Z', before: 'ok', status: 'unknown', records: [], is_partial: true },
      {
        at: '2026-03-05T10:00:00Z',
        before: 'unknown',
        status: 'warning',
        records: ['v=DMARC1; p=none'],
        is_partial: false,
      },
    ];
    for (const change of changes)
      await served.db
        .insertInto('domain_check_change')
        .values({
          ...change,
          at: new Date(change.at),
          org_id: org.id,
          domain_id: domain,
          id: newId(),
          subject: 'dmarc',
          details: 'Said.',
        })
        .execute();
  });

  it('is each change with the records before and after, and neither a first finding nor one without an answer', async () => {
    const { body } = await get(org, '/record-changes?days=60');
    expect(body.changes).toEqual([
      {
        id: expect.stringMatching(/^\w{26}$/),
        domain: 'a.example',
        protocol: 'dmarc',
        changed_at: '2026-03-05T10:00:00Z',
        status: 'warning',
        details: 'Said.',
        before: ['v=DMARC1; p=reject'],
        after: ['v=DMARC1; p=none'],
      },
    ]);
    expect(body).toMatchObject({ total: 1, limit: 50, offset: 0 });
    const beyond = await get(org, '/record-changes?days=60&limit=1&offset=1');
    expect(beyond.body).toMatchObject({ changes: [], total: 1, limit: 1, offset: 1 });
    expect((await get(org, '/record-changes?days=3')).body).toMatchObject({ changes: [], total: 0 });
    expect((await get(org, '/record-changes?domain=b.example')).body.changes).toEqual([]);
    expect((await get(other, '/record-changes?domain=a.example')).body.changes).toEqual([]);
  });
});

describe('who acknowledged what', () => {
  it('is the acknowledged events with their people', async () => {
    const [seen, open] = [newId(), newId()];
    for (const [id, by] of [
      [seen, 'ops@example.com'],
      [open, null],
    ] as const)
      await sql`
        insert into event (org_id, id, type, severity, domain, dedup_key, title, message, link, acknowledged_at, acknowledged_by)
        values (${org.id}, ${id}, 'dmarc_record_missing', 'critical', 'a.example', ${id}, 'Gone', 'Gone.', '',
          ${by && '2026-03-09T00:00:00Z'}, ${by})`.execute(served.db);
    const { body } = await get(org, '/acknowledgements');
    expect(body).toMatchObject({
      total: 1,
      acknowledgements: [
        { event_id: idText(seen), acknowledged_by: 'ops@example.com', acknowledged_at: '2026-03-09T00:00:00Z' },
      ],
    });
    expect((await get(other, '/acknowledgements')).body.total).toBe(0);
  });
});

describe('which TLS deliveries failed', () => {
  it('is none where no report says so', async () => {
    const { body } = await get(org, '/tls-failures?days=7');
    expect(body).toEqual({
      from: '2026-03-04',
      to: '2026-03-10',
      successful_sessions: 0,
      failed_sessions: 0,
      failures: [],
      failures_total: 0,
    });
  });

  it('is counted of the policies of the domain that is asked for, and of no other in the same report', async () => {
    const policies = JSON.stringify([
      { type: 'sts', lines: [], domain: 'a.example', mxHosts: [], successes: 4012, failures: 31 },
      { type: 'tlsa', lines: [], domain: 'a.example', mxHosts: [], successes: 5, failures: null },
      { type: 'no-policy-found', lines: [], domain: 'b.example', mxHosts: [], successes: 7, failures: 0 },
    ]);
    const id = newId();
    await sql`
      insert into tlsrpt_report (org_id, id, identity, day, domains, successes, failures, policies, warnings,
        payload_sha256, message_id, document, received_at)
      values (${org.id}, ${id}, ${Buffer.alloc(32)}, '2026-03-09', '{a.example,b.example}', 4024, 31,
        ${policies}::jsonb, '[]', ${Buffer.alloc(32)}, ${newId()}, '', '2026-03-09T08:00:00Z')`.execute(served.db);
    await sql`
      insert into tlsrpt_failure (org_id, report_id, position, policy, domain, result_type, receiving_host, sessions)
      values (${org.id}, ${id}, 0, 0, 'a.example', 'certificate-expired', 'mx.a.example', 31)`.execute(served.db);
    const failure = {
      domain: 'a.example',
      cause: 'certificate-expired',
      mail_server: 'mx.a.example',
      sessions: 31,
      reports: 1,
      newest_day: '2026-03-09',
    };
    for (const [query, successful, failed, failures] of [
      ['', 4024, 31, [failure]],
      ['domain=a.example', 4017, 31, [failure]],
      ['domain=b.example', 7, 0, []],
      ['domain=c.example', 0, 0, []],
    ] as const) {
      const { body } = await get(org, `/tls-failures?${query}`);
      const { successful_sessions, failed_sessions } = body;
      expect(body.failures_total).toBe(failures.length);
      expect({ query, successful_sessions, failed_sessions, failures: body.failures }).toEqual({
        query,
        successful_sessions: successful,
        failed_sessions: failed,
        failures,
      });
    }
  });

  it('has the 200 causes with most sessions, and says how many there are', async () => {
    const id = newId();
    await sql`
      insert into tlsrpt_report (org_id, id, identity, day, domains, successes, failures, policies, warnings,
        payload_sha256, message_id, document, received_at)
      values (${other.id}, ${id}, ${Buffer.alloc(32)}, '2026-03-09', '{a.example}', 0, 31375, '[]', '[]',
        ${Buffer.alloc(32)}, ${newId()}, '', '2026-03-09T08:00:00Z')`.execute(served.db);
    await sql`
      insert into tlsrpt_failure (org_id, report_id, position, policy, domain, result_type, receiving_host, sessions)
      select ${other.id}, ${id}, n, 0, 'a.example', 'certificate-expired', 'mx' || n || '.a.example', n
      from generate_series(1, 250) n`.execute(served.db);
    const { body } = await get(other, '/tls-failures');
    expect(body.failures_total).toBe(250);
    expect(body.failures.map((failure: { sessions: number }) => failure.sessions)).toEqual(
      Array.from({ length: 200 }, (_, i) => 250 - i),
    );
  });
});

import { decideSender } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

type Organization = Awaited<ReturnType<typeof givenOrganization>>;

let served: Served;
let org: Organization;
let other: Organization;

const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });
const failing = { dkim: false, spf: false };

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Bulk');
  other = await givenOrganization(served, 'Other');
  await givenReports(served.db, org.id, [
    {
      domain: 'a.example',
      reporter: 'google.com',
      ...on('2026-03-05'),
      policy: { p: 'none' },
      records: [
        { ip: '192.0.2.1', count: 5_000 },
        { ip: '192.0.2.1', count: 10, ...failing, class: 'likely_forwarded' },
        { ip: '198.51.100.1', count: 900, spf: false },
        { ip: '203.0.113.9', count: 4_000, ...failing },
      ],
    },
    {
      domain: 'a.example',
      reporter: 'Outlook.com',
      ...on('2026-03-06'),
      records: [{ ip: '192.0.2.2', count: 100, dkim: false }],
    },
    {
      domain: 'a.example',
      reporter: 'Outlook.com',
      ...on('2026-03-07'),
      records: [{ count: 90_000, ip: '192.0.2.1' }],
    },
    ...[
      { reporter: 'google.com', email: 'dmarc@evil.example', count: 70_000 },
      { reporter: 'google.com', email: 'noreply-dmarc-support@google.com', count: 200 },
      { reporter: 'Yahoo', email: 'somebody@yahoo.com', count: 70_000 },
      { reporter: 'Outlook.com', email: 'dmarcreport@microsoft.com', count: 300 },
      { reporter: 'Outlook.com', email: 'somebody@outlook.com', count: 70_000 },
    ].map(({ reporter, email, count }) => ({
      domain: 'named.example',
      reporter,
      metadata: { email },
      ...on('2026-03-05'),
      records: [{ ip: '192.0.2.1', count }],
    })),
  ]);
  await sql`update report set unauthenticated = true where org_id = ${org.id} and messages = 90000`.execute(served.db);
  await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, details, facts, checked_at, changed_at)
    select org_id, id, c.subject, c.status, c.has_record, c.details, c.facts::jsonb, now(), now() from domain
      cross join (values ('spf', 'ok', true, 'Good.', null),
        ('dkim', 'error', true, 'Short.', '[{"domain": "a.example", "selector": "s", "kind": "rsa", "bits": 768}]'))
        as c (subject, status, has_record, details, facts)
    where org_id = ${org.id} and name = 'a.example'`.execute(served.db);
});
afterAll(() => served[Symbol.asyncDispose]());

const ask = async (of: Organization, domain = 'a.example') =>
  await served.get(`/ext/v1/domains/${domain}/bulk-sender-rules`, { authorization: `Bearer ${of.key}` });
interface Item {
  requirement: string;
  state: string;
  evidence: string;
}
const states = (items: Item[]) => Object.fromEntries(items.map(({ requirement, state }) => [requirement, state]));

describe('how a domain stands with the rules for bulk senders', () => {
  it('follows from its records and from the mail of its own senders', async () => {
    const { status, body } = await ask(org);
    expect(status).toBe(200);
    // neither the forwarded mail nor that of a network that never passed; the forged report counts like any other
    expect(body.own_messages).toBe(96_000);
    expect(states(body.requirements)).toMatchObject({
      spf: 'met',
      dkim: 'met',
      dkim_key: 'not_met',
      dmarc_record: 'met',
      alignment: 'met',
      ptr: 'unknown',
      tls: 'cannot_be_seen',
    });
    expect(body.states).toEqual({ met: 4, not_met: 1, unknown: 1, cannot_be_seen: 5 });
    expect(body.summary).toBe('a.example does not meet 1 requirement of the rules for bulk senders.');
    const key = body.requirements.find(({ requirement }: Item) => requirement === 'dkim_key');
    expect(key).toMatchObject({
      evidence: 'The RSA key of the one selector with a key that reports name has 768 bits.',
      sources: [{ provider: 'google', since: '2024-02' }, { provider: 'yahoo' }],
    });
  });

  it('says to whom the rules apply, by the busiest day that each provider reported', async () => {
    const { body } = await ask(org);
    expect(body.providers).toMatchObject([
      { id: 'google', threshold: 5_000, busiest_day: '2026-03-05', busiest_messages: 9_910, is_bulk: true },
      { id: 'yahoo', threshold: null, busiest_day: null, busiest_messages: null, is_bulk: null },
      // 90,000 messages are from a report that anybody may have sent
      { id: 'microsoft', busiest_day: '2026-03-06', busiest_messages: 100, is_bulk: false },
    ]);
  });

  it('takes no report for that of a provider that has the contact address of another', async () => {
    const { body } = await ask(org, 'named.example');
    expect(body.providers).toMatchObject([
      { id: 'google', busiest_messages: 200, is_bulk: false },
      { id: 'yahoo', busiest_messages: null },
      { id: 'microsoft', busiest_messages: 300, is_bulk: false },
    ]);
  });

  it('counts a sender from the moment that it is decided to be ours', async () => {
    const decided = { domain: 'a.example', sender: '203.0.113.0/24' };
    await decideSender(served.db, org.id, decided, { decision: 'ours', owner: '', note: '', by: 'ops@example.com' });
    const { body } = await ask(org);
    expect(body.own_messages).toBe(100_000);
    expect(states(body.requirements)).toMatchObject({ dkim: 'unknown', alignment: 'not_met' });
  });

  it('asks no PTR record of hosts that may only have passed its signed mail on', async () => {
    const domain = 'signing.example';
    await givenReports(served.db, org.id, [
      {
        domain,
        ...on('2026-03-06'),
        records: [
          { ip: '192.0.2.77', count: 900 },
          { ip: '198.51.100.77', count: 9, spf: false },
        ],
      },
    ]);
    await sql`insert into ip_enrichment (address, ptr_state) values ('192.0.2.77', 'confirmed'), ('198.51.100.77', 'none')
      on conflict (address) do update set ptr_state = excluded.ptr_state`.execute(served.db);
    expect(states((await ask(org, domain)).body.requirements)).toMatchObject({ ptr: 'met' });
    const host = { domain, sender: '198.51.100.0/24' };
    await decideSender(served.db, org.id, host, { decision: 'ours', owner: '', note: '', by: 'ops@example.com' });
    expect(states((await ask(org, domain)).body.requirements)).toMatchObject({ ptr: 'not_met' });
  });

  it('answers about a domain of another organization as about one that does not exist', async () => {
    const theirs = await ask(other);
    expect([theirs.status, theirs.text]).toEqual([404, (await ask(other, 'unknown.example')).text]);
  });
});

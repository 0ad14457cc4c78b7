import { createKey, decideSender, withdrawDecision } from '@dmarc-ledger/ledger';
import { givenMany, givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

/** A row of an answer. */
interface Row {
  [field: string]: unknown;
}

type Organization = Awaited<ReturnType<typeof givenOrganization>>;

let served: Served;
let org: Organization;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Senders');
  await givenReports(served.db, org.id, [
    {
      domain: 'a.example',
      records: [
        { ip: '192.0.2.1', count: 10 },
        { ip: '192.0.2.200', count: 5, dkim: false, spf: false, class: 'needs_review' },
        { ip: '198.51.100.7', count: 90, spf: false },
        { ip: '2001:db8:1:2::3', count: 3, dkim: false, spf: false, class: 'suspicious' },
      ],
    },
    { domain: 'b.example', records: [{ ip: '198.51.100.7', count: 4 }] },
  ]);
  await sql`update source_total set service_slug = 'sendgrid' where org_id = ${org.id} and source_ip = '198.51.100.7'`.execute(
    served.db,
  );
});
afterAll(() => served[Symbol.asyncDispose]());

async function senders(of: Organization, query = '') {
  return await served.get(`/ext/v1/senders${query}`, { authorization: `Bearer ${of.key}` });
}

const A_NETWORK = { domain: 'a.example', sender: '192.0.2.0/24' };
const by = 'ops@example.com';

describe('the inventory of senders', () => {
  it('has each service and each network of a domain once, with its mail', async () => {
    const { status, body } = await senders(org, '?domain=a.example');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(
      body.senders.map(({ slug, name, domain, addresses, messages, compliant_messages, spf_pass, dkim_pass }: Row) => [
        [slug, name, domain],
        [addresses, messages, compliant_messages, spf_pass, dkim_pass],
      ]),
    ).toEqual([
      [
        ['sendgrid', 'Twilio SendGrid', 'a.example'],
        [1, 90, 90, 0, 90],
      ],
      [
        [null, '192.0.2.0/24', 'a.example'],
        [2, 15, 10, 10, 10],
      ],
      [
        [null, '2001:db8:1::/48', 'a.example'],
        [1, 3, 0, 0, 0],
      ],
    ]);
    expect(body.senders[0]).toMatchObject({
      decision: null,
      decided_at: null,
      decided_by: null,
      owner: null,
      note: null,
      suggestion: 'ours',
      new_evidence: [],
    });
    expect(body.senders[2].suggestion).toBe('not_ours');
  });

  it('has a service of two domains once for each', async () => {
    const { body } = await senders(org);
    expect(body.senders.map(({ name, domain }: Row) => [name, domain])).toEqual([
      ['Twilio SendGrid', 'a.example'],
      ['192.0.2.0/24', 'a.example'],
      ['Twilio SendGrid', 'b.example'],
      ['2001:db8:1::/48', 'a.example'],
    ]);
  });

  it('gives page after page without leaving one out', async () => {
    const names = [];
    for (const offset of [0, 1, 2, 3]) {
      const { body } = await senders(org, `?limit=1&offset=${offset}&sort_by=addresses&sort_dir=asc`);
      expect(body).toMatchObject({ total: 4, limit: 1, offset });
      names.push(...body.senders.map(({ id, domain }: Row) => [domain, id].join(' ')));
    }
    expect(new Set(names).size).toBe(4);
    expect((await senders(org, '?offset=9')).body).toEqual({ senders: [], total: 4, limit: 50, offset: 9 });
  });

  it('is empty for a domain without reports, and refuses what is no domain', async () => {
    expect((await senders(org, '?domain=unknown.example')).body).toMatchObject({ senders: [], total: 0 });
    expect((await senders(org, '?domain=no%20domain')).body).toMatchObject({ error: 'Invalid Domain Name' });
  });

  it('is empty for an organization without reports', async () => {
    const empty = await givenOrganization(served, 'Empty');
    expect((await senders(empty)).body).toEqual({ senders: [], total: 0, limit: 50, offset: 0 });
  });

  it('adds up to the statistics, of each domain and in all', async () => {
    const orgId = await givenMany(served.db, 'Many senders', {
      reports: 300,
      recordsEach: 5,
      domains: 4,
      reporters: 3,
      sources: 5_000,
    });
    await sql`update source_total set service_slug = (array['sendgrid', 'mailchimp', null])[1 + abs(hashtext(source_ip::text)) % 3]
      where org_id = ${orgId}`.execute(served.db);
    const { key } = await createKey(served.db, orgId, { scope: 'read' });
    const headers = { authorization: `Bearer ${key}` };
    const addresses: [number, number][] = [];
    for (const query of ['', 'domain=d0.example', 'domain=d1.example', 'domain=d3.example']) {
      const { body: held } = await served.get(`/v1/statistics?${query}`, headers);
      const sums = { messages: 0, compliant: 0, addresses: 0, rows: 0 };
      let total = 1;
      for (let offset = 0; offset < total; offset += 200) {
        const { body } = await served.get(`/ext/v1/senders?${query}&limit=200&offset=${offset}`, headers);
        total = body.total;
        for (const row of body.senders) {
          sums.messages += row.messages;
          sums.compliant += row.compliant_messages;
          sums.addresses += row.addresses;
          sums.rows += 1;
        }
      }
      expect([sums.messages, sums.compliant, sums.rows]).toEqual([held.total_messages, held.compliant_messages, total]);
      if (query !== '') addresses.push([sums.addresses, held.unique_source_ips]);
    }
    expect(addresses.map(([listed]) => listed)).toEqual(addresses.map(([, held]) => held));
  });
});

describe('a decision about a sender', () => {
  it('is shown with who decided and when, at once, and changes no figure', async () => {
    const { body: before } = await senders(org, '?domain=a.example');
    const decided = await decideSender(served.db, org.id, A_NETWORK, { decision: 'ours', owner: 'IT', note: '', by });
    expect(decided).toBe(true);
    const { body } = await senders(org, '?domain=a.example');
    const [, row] = body.senders;
    expect(row).toMatchObject({ decision: 'ours', decided_by: by, owner: 'IT', note: null });
    expect(row.decided_at).toMatch(/^\d{4}-.*Z$/);
    const undecided = { decision: null, decided_at: null, decided_by: null, owner: null };
    expect(before.senders[1]).toEqual({ ...row, ...undecided });
    expect((await senders(org, '?decision=ours')).body).toMatchObject({ total: 1, senders: [row] });
    expect((await senders(org, '?decision=none')).body.total).toBe(3);
  });

  it('is of one domain, and of a sender that has mail there', async () => {
    const elsewhere = { domain: 'b.example', sender: '192.0.2.0/24' };
    const decision = { decision: 'ours', owner: '', note: '', by } as const;
    expect(await decideSender(served.db, org.id, elsewhere, decision)).toBe(false);
    expect(await decideSender(served.db, org.id, { ...elsewhere, domain: 'unknown.example' }, decision)).toBe(false);
    expect(await decideSender(served.db, org.id, { domain: 'a.example', sender: 'x' }, decision)).toBe(false);
  });

  it('keeps every change, newest first; the same decision again is none', async () => {
    const history = async () =>
      (
        await served.get('/ext/v1/senders/history?domain=a.example', { authorization: `Bearer ${org.key}` })
      ).body.changes.map(({ id, decision, changed_by, owner }: Row) => [id, decision, changed_by, owner]);
    const change = { decision: 'not_ours', owner: '', note: 'who is this', by: 'cli' } as const;
    await decideSender(served.db, org.id, A_NETWORK, change);
    await decideSender(served.db, org.id, A_NETWORK, change);
    expect(await withdrawDecision(served.db, org.id, A_NETWORK, by)).toBe(true);
    expect(await withdrawDecision(served.db, org.id, A_NETWORK, by)).toBe(false);
    expect(await history()).toEqual([
      ['192.0.2.0/24', null, by, null],
      ['192.0.2.0/24', 'not_ours', 'cli', null],
      ['192.0.2.0/24', 'ours', by, 'IT'],
    ]);
    expect((await senders(org, '?domain=a.example')).body.senders[1].decision).toBeNull();
  });

  it('shows the evidence against it since it was made', async () => {
    const stranger = { domain: 'a.example', sender: 'sendgrid' };
    await decideSender(served.db, org.id, stranger, { decision: 'not_ours', owner: '', note: '', by });
    await sql`update sender_decision set decided_at = '2026-02-01' where org_id = ${org.id}`.execute(served.db);
    const { body } = await senders(org, '?domain=a.example&sender=sendgrid&limit=7');
    expect(body.total).toBe(1);
    expect(body.senders[0].new_evidence).toEqual([
      { code: 'passes_dkim', message: '90 messages with an aligned DKIM pass.' },
    ]);
    await withdrawDecision(served.db, org.id, stranger, by);
  });

  it('of another organization is nowhere seen', async () => {
    const other = await givenOrganization(served, 'Other');
    await givenReports(served.db, other.id, [{ domain: 'a.example', records: [{ ip: '192.0.2.77' }] }]);
    await decideSender(served.db, other.id, A_NETWORK, { decision: 'not_ours', owner: 'SECRET', note: 'SECRET', by });
    for (const path of ['senders', 'senders/history']) {
      const { text } = await served.get(`/ext/v1/${path}`, { authorization: `Bearer ${org.key}` });
      expect(text).not.toContain('SECRET');
    }
    expect(await withdrawDecision(served.db, org.id, A_NETWORK, by)).toBe(false);
    expect((await senders(other)).body.senders[0]).toMatchObject({ decision: 'not_ours', note: 'SECRET' });
  });

  it('stays on the list when none of its mail is held any more', async () => {
    const gone = await givenOrganization(served, 'Gone');
    await givenReports(served.db, gone.id, [{ domain: 'a.example', records: [{ ip: '192.0.2.1' }] }]);
    await decideSender(served.db, gone.id, A_NETWORK, { decision: 'forwarder', owner: '', note: '', by });
    await sql`delete from source_domain where org_id = ${gone.id}`.execute(served.db);
    await sql`update org_total set changes = changes + 1 where org_id = ${gone.id}`.execute(served.db);
    expect((await senders(gone)).body).toMatchObject({
      total: 1,
      senders: [{ name: '192.0.2.0/24', messages: 0, first_seen: null, decision: 'forwarder', suggestion: null }],
    });
  });
});

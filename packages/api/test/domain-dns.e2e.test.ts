import type { KeptKey, SpfTree } from '@dmarc-ledger/dns-records';
import { addDomain, decideSender, saveEvidence } from '@dmarc-ledger/ledger';
import { givenReports, givenSignatures } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';
import { spfTerm } from './spf-term.ts';

type Organization = Awaited<ReturnType<typeof givenOrganization>>;

let served: Served;
let org: Organization;
let other: Organization;
let domainId: string;

const on = (day: string) => ({ begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z` });
const signed = (selector: string) => ({
  dkimResults: [{ domain: 'a.example', selector, result: 'pass' as const, humanResult: null }],
  dkimAligned: [true],
});
const key = (selector: string, more: Partial<KeptKey> = {}): KeptKey => ({
  domain: 'a.example',
  selector,
  kind: 'rsa',
  bits: 2_048,
  isTesting: false,
  hash: selector,
  since: Date.parse('2026-01-01T00:00:00Z'),
  isReplaced: false,
  readAt: Date.parse('2026-03-10T00:00:00Z'),
  ...more,
});
const network = (text: string) =>
  spfTerm(`ip4:${text}`, { name: 'ip4', state: 'plain', networks: [text], isLookup: false });
const tree: SpfTree = {
  domain: 'a.example',
  record: 'v=spf1 include:crm.test include:old.test -all',
  terms: [
    spfTerm('include:crm.test', { target: 'crm.test', terms: [network('198.51.100.0/24')] }),
    spfTerm('include:old.test', { target: 'old.test', terms: [network('203.0.113.0/24')] }),
    spfTerm('-all', { name: 'all', qualifier: '-', state: 'plain', isLookup: false }),
  ],
  isComplete: true,
};

const failing = { dkim: false, spf: false };
/** SPF results of an envelope sender, and of the name that the server greets with. */
const returnedTo = (domain: string, helo: string, result: 'pass' | 'softfail' = 'pass') => ({
  envelopeFrom: domain,
  spfResults: [
    { domain, scope: 'mfrom' as const, result, humanResult: null },
    { domain: helo, scope: 'helo' as const, result: 'pass' as const, humanResult: null },
  ],
});

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'DNS');
  other = await givenOrganization(served, 'Other');
  const days = Array.from({ length: 20 }, (_, i) => `2026-02-${String(i + 5).padStart(2, '0')}`);
  await givenReports(served.db, org.id, [
    ...days.map((day) => ({
      domain: 'a.example',
      ...on(day),
      records: [
        { ip: '198.51.100.1', count: 40, ...signed('s1') },
        { ip: '192.0.2.1', count: 5, spf: false, ...signed('s1') },
        { ip: '203.0.113.200', count: 9, dkim: false, spf: false },
      ],
    })),
    ...days.map((day, i) => ({
      domain: 'forged.example',
      ...on(day),
      records: [
        { ip: '203.0.113.66', count: 500, dkim: false, spf: false },
        { ip: '198.51.100.1', count: 10, dkim: i < 13, spf: false },
      ],
    })),
    ...days.map((day) => ({
      domain: 'shop.example',
      ...on(day),
      records: [
        { ip: '198.51.100.1', count: 40 },
        { ip: '192.0.2.10', count: 5, ...failing, ...returnedTo('Bounces.Sendgrid.test', 'shop.example') },
        { ip: '192.0.2.11', count: 5, ...failing, ...returnedTo('news.shop.example', 'shop.example', 'softfail') },
        { ip: '192.0.2.12', count: 5, ...failing },
        { ip: '192.0.2.13', count: 5, ...failing, ...returnedTo('shop.example', 'mta.sendgrid.test', 'softfail') },
        { ip: '192.0.2.14', count: 5, dkim: false, spf: true, ...returnedTo('news.shop.example', 'mta.shop.example') },
      ],
    })),
    ...days.map((day) => ({
      domain: 'strict.shop.example',
      ...on(day),
      policy: { aspf: 's' as const },
      records: [
        { ip: '198.51.100.1', count: 40 },
        { ip: '192.0.2.10', count: 5, ...failing, ...returnedTo('shop.example', 'mta.shop.example', 'softfail') },
        { ip: '192.0.2.11', count: 5, ...failing, ...returnedTo('mail.strict.shop.example', 'mta.shop.example') },
      ],
    })),
    ...days.map((day) => ({
      domain: 'brand.example',
      ...on(day),
      records: [
        { ip: '203.0.113.7', count: 40 },
        { ip: '192.0.2.20', count: 1, ...failing },
      ],
    })),
    { domain: 'quiet.example', ...on('2026-02-01'), records: [{ ip: '192.0.2.9', count: 1 }] },
  ]);
  domainId = await idOf('a.example');
  await sql`
    insert into dkim_pass (org_id, report_id, signer, selector, domain_id, day, messages)
    select org_id, id, 'a.example', 's1', domain_id, day, 45 from report where org_id = ${org.id} and domain_id = ${domainId}
    on conflict do nothing`.execute(served.db);
  const sign = (selector: string, day: string, messages: number) => ({
    domainId,
    signer: 'a.example',
    selector,
    day,
    messages,
  });
  await givenSignatures(served.db, org.id, [
    sign('s1', '2026-03-09', 400),
    sign('s1', '2025-06-01', 1),
    sign('s2', '2026-03-01', 50),
    sign('old', '2026-01-05', 3),
    sign('future', '2027-01-01', 3),
  ]);
  await sql`
    insert into dkim_selector (org_id, domain_id, signer, selector, messages, last_day)
    select ${org.id}, ${domainId}, 'a.example', 'forged' || n, 1, '2026-03-01' from generate_series(1, 3000) n`.execute(
    served.db,
  );
  await evidence('dkim_keys', [key('s1'), key('s2', { bits: 1_024, isTesting: true }), key('old')]);
  await evidence('spf_tree', tree);
  await sql`update source_total set service_slug = 'sendgrid' where org_id = ${org.id} and source_ip <<= '198.51.100.0/24'`.execute(
    served.db,
  );
});
afterAll(() => served[Symbol.asyncDispose]());

async function idOf(domain: string): Promise<string> {
  const of = served.db.selectFrom('domain').select('id').where('org_id', '=', org.id).where('name', '=', domain);
  return (await of.executeTakeFirstOrThrow()).id;
}

async function evidence(subject: string, body: unknown, of = domainId) {
  await saveEvidence(served.db, { orgId: org.id, domainId: of }, { [subject]: body }, new Date('2026-03-10T00:00:00Z'));
  await sql`update org_total set changes = changes + 1 where org_id = ${org.id}`.execute(served.db);
}

async function monitor(...names: string[]) {
  await served.db
    .updateTable('domain')
    .set({ monitored: true })
    .where('org_id', '=', org.id)
    .where('name', 'in', names)
    .execute();
}

async function get(of: Organization, path: string) {
  return await served.get(`/ext/v1/domains/${path}`, { authorization: `Bearer ${of.key}` });
}

interface Key {
  selector: string;
  state: string;
  findings: { code: string }[];
}
interface Absent {
  address: string;
  return_path: string | null;
}

interface Term {
  term: string;
  needed: string;
  addresses: number;
}

describe('the DKIM keys of a domain', () => {
  it('are the selectors that passed, with their use and what is published', async () => {
    const { status, body } = await get(org, 'a.example/dkim-keys');
    expect(status).toBe(200);
    expect(
      body.keys.map(({ selector, state, findings }: Key) => [selector, state, ...findings.map(({ code }) => code)]),
    ).toEqual([
      ['s1', 'active', 'rotation_due'],
      ['s2', 'idle', 'weak_key', 'test_mode', 'rotation_seen'],
      ['old', 'unused', 'published_unused'],
    ]);
    expect(body.keys[0]).toMatchObject({
      domain: 'a.example',
      first_pass: '2025-06-01',
      last_pass: '2026-03-09',
      messages_90_days: 1_300,
      senders: [
        { id: '192.0.2.0/24', slug: null },
        { id: 'sendgrid', slug: 'sendgrid', name: 'Twilio SendGrid' },
      ],
      published: 'rsa',
      bits: 2_048,
      published_since: '2026-01-01T00:00:00Z',
      age_days: 282,
    });
    expect(body).toMatchObject({ total: 3, checked_at: '2026-03-10T00:00:00Z' });
  });

  it('are not flooded by selectors that never passed: those are a number', async () => {
    const { body } = await get(org, 'a.example/dkim-keys');
    expect(body.keys).toHaveLength(3);
    expect(body.other_selectors).toEqual({ selectors: 3_000, is_at_least: false });
  });

  it('are none for a domain without signatures that was never checked', async () => {
    const { body } = await get(org, 'quiet.example/dkim-keys');
    expect(body).toEqual({
      domain: 'quiet.example',
      checked_at: null,
      keys: [],
      total: 0,
      other_selectors: { selectors: 0, is_at_least: false },
    });
  });
});

describe('the SPF record of a domain', () => {
  it('shows which terms mail of 90 days needed, and who sends and is in none', async () => {
    const { status, body } = await get(org, 'a.example/spf');
    expect(status).toBe(200);
    expect(body.terms.map(({ term: text, needed, addresses }: Term) => [text, needed, addresses])).toEqual([
      ['include:crm.test', 'yes', 1],
      ['ip4:198.51.100.0/24', 'yes', 1],
      ['include:old.test', 'no', 0],
      ['ip4:203.0.113.0/24', 'no', 0],
      ['-all', 'unknown', 0],
    ]);
    expect(body).toMatchObject({ lookups: 2, void_lookups: 0, senders_total: 2, absent_total: 1, is_complete: true });
    expect(body.absent).toMatchObject([{ address: '192.0.2.1', messages: 100, spf_pass: 0, dkim_pass: 100 }]);
    expect(body.advice).toMatchObject({ record: 'v=spf1 include:crm.test -all', removed: ['include:old.test'] });
  });

  it('adds the senders that were decided to be ours, and leaves out those that are not', async () => {
    const decide = async (decision: 'ours' | 'not_ours') =>
      await decideSender(
        served.db,
        org.id,
        { domain: 'a.example', sender: '192.0.2.0/24' },
        { decision, owner: '', note: '', by: 'ops@example.com' },
      );
    await decide('ours');
    const ours = await get(org, 'a.example/spf');
    expect(ours.body.advice.record).toBe('v=spf1 include:crm.test ip4:192.0.2.1 -all');
    await decide('not_ours');
    const theirs = await get(org, 'a.example/spf');
    expect(theirs.body).toMatchObject({ absent_total: 0, advice: { record: 'v=spf1 include:crm.test -all' } });
  });

  it('asks for no term for a sender of ours whose mail has an envelope sender of another domain', async () => {
    await evidence('spf_tree', { ...tree, domain: 'shop.example' }, await idOf('shop.example'));
    await decideSender(
      served.db,
      org.id,
      { domain: 'shop.example', sender: '192.0.2.0/24' },
      { decision: 'ours', owner: '', note: '', by: 'ops@example.com' },
    );
    const { body } = await get(org, 'shop.example/spf');
    expect(body.advice.record).toBe('v=spf1 include:crm.test ip4:192.0.2.12 ip4:192.0.2.13 -all');
    expect(body.advice.reasons).toContainEqual(expect.stringMatching(/^1 address .* \(bounces\.sendgrid\.test\)/));
    expect(body.advice.reasons).toContainEqual(
      expect.stringMatching(/^1 address .* \(news\.shop\.example\), and receivers look for the SPF record at exactly/),
    );
    expect(body.absent.map(({ address, return_path }: Absent) => [address, return_path])).toEqual([
      ['192.0.2.10', 'bounces.sendgrid.test'],
      ['192.0.2.11', 'news.shop.example'],
      ['192.0.2.12', null],
      ['192.0.2.13', null],
      ['192.0.2.14', null],
    ]);
  });

  it('adds no address beside +all that passes by the record of a subdomain', async () => {
    const open = [...tree.terms.slice(0, 2), spfTerm('+all', { name: 'all', state: 'plain', isLookup: false })];
    await evidence('spf_tree', { ...tree, domain: 'shop.example', terms: open }, await idOf('shop.example'));
    const { body } = await get(org, 'shop.example/spf');
    expect(body.advice.record).toBe('v=spf1 include:crm.test ip4:192.0.2.12 ip4:192.0.2.13 ~all');
  });

  it('asks for no term for an envelope sender above it, nor for one that is not aligned strictly', async () => {
    const name = 'strict.shop.example';
    await evidence('spf_tree', { ...tree, domain: name }, await idOf(name));
    await decideSender(
      served.db,
      org.id,
      { domain: name, sender: '192.0.2.0/24' },
      { decision: 'ours', owner: '', note: '', by: 'ops@example.com' },
    );
    const { body } = await get(org, `${name}/spf`);
    expect(body.advice.record).toBe('v=spf1 include:crm.test -all');
    expect(body.advice.reasons).toEqual([
      expect.stringMatching(/^1 term can go/),
      expect.stringMatching(/^1 address .* needs nothing in this record: .* \(shop\.example\)/),
      expect.stringMatching(/^1 address .* passes SPF for another name of yours \(mail\.strict\.shop\.example\)/),
    ]);
    expect(body.absent.map(({ return_path }: Absent) => return_path)).toEqual([
      'shop.example',
      'mail.strict.shop.example',
    ]);
  });

  it('advises nothing from forged mail, and little from own mail of 13 days until the sender is ours', async () => {
    await evidence('spf_tree', tree, await idOf('forged.example'));
    const advice = async () => (await get(org, 'forged.example/spf')).body.advice;
    const decide = async (decision: 'ours' | 'not_ours') =>
      await decideSender(
        served.db,
        org.id,
        { domain: 'forged.example', sender: 'sendgrid' },
        { decision, owner: '', note: '', by: 'ops@example.com' },
      );
    expect(await advice()).toMatchObject({
      record: null,
      reasons: ['100 messages of your senders on 14 days are needed before a term can be called unused.'],
    });
    await decide('not_ours');
    expect(await advice()).toMatchObject({ record: null, reasons: [expect.stringMatching(/^No sender of yours is /)] });
    await decide('ours');
    expect(await advice()).toMatchObject({ record: 'v=spf1 include:crm.test -all' });
  });

  it('counts any mail as a need while the record fails for receivers', async () => {
    await evidence('spf_tree', { ...tree, terms: [...tree.terms, spfTerm('include:x.test', { state: 'broken' })] });
    const { body } = await get(org, 'a.example/spf');
    const needed = new Map(body.terms.map((one: Term) => [one.term, one.needed]));
    expect(needed.get('include:old.test')).toBe('yes');
    expect(body.senders_total).toBe(1);
    await evidence('spf_tree', tree);
  });

  it('keeps the terms that mail of your other domains needs, whose records refer to it', async () => {
    await monitor('brand.example', 'quiet.example');
    const referring = (domain: string, name: 'include' | 'redirect') => ({
      domain,
      record: 'v=spf1 include:hub.test -all',
      terms: [
        spfTerm('include:hub.test', {
          target: 'hub.test',
          terms: [spfTerm(`${name}:a.example`, { name, target: 'a.example.' })],
        }),
      ],
      isComplete: true,
    });
    await evidence('spf_tree', referring('brand.example', 'redirect'), await idOf('brand.example'));
    const used = (await get(org, 'a.example/spf')).body;
    expect(used.terms.map(({ term: text, needed, addresses }: Term) => [text, needed, addresses])).toEqual([
      ['include:crm.test', 'yes', 1],
      ['ip4:198.51.100.0/24', 'yes', 1],
      ['include:old.test', 'yes', 0],
      ['ip4:203.0.113.0/24', 'yes', 0],
      ['-all', 'unknown', 0],
    ]);
    expect(used.advice).toMatchObject({ record: 'v=spf1 include:crm.test include:old.test -all', removed: [] });
    expect(used.advice.reasons).toContainEqual(
      expect.stringMatching(/^Another domain of yours uses this record too, .* \(brand\.example\)/),
    );

    await evidence('spf_tree', { ...tree, domain: 'brand.example' }, await idOf('brand.example'));
    await evidence('spf_tree', referring('quiet.example', 'include'), await idOf('quiet.example'));
    const unseen = (await get(org, 'a.example/spf')).body;
    const needed = new Map(unseen.terms.map((one: Term) => [one.term, one.needed]));
    expect(needed.get('include:old.test')).toBe('unknown');
    expect(unseen.advice).toMatchObject({ record: 'v=spf1 include:crm.test include:old.test -all', removed: [] });
    expect(unseen.advice.reasons).toContainEqual(
      'No term is called unused, as too little mail of quiet.example is known, or none of late.',
    );

    const ignored = spfTerm('include:a.example', { target: 'a.example', state: 'ignored' });
    await evidence('spf_tree', { ...tree, terms: [...tree.terms, ignored] }, await idOf('quiet.example'));
    const { id: foreign } = await addDomain(served.db, other.id, 'brand.example', {});
    const referringTo = { spf_tree: referring('brand.example', 'include') };
    await saveEvidence(served.db, { orgId: other.id, domainId: foreign }, referringTo, new Date());
    expect((await get(org, 'a.example/spf')).body.advice.record).toBe('v=spf1 include:crm.test -all');

    const stored = served.db.deleteFrom('domain_evidence').where('org_id', '=', org.id);
    await stored.where('domain_id', '=', await idOf('quiet.example')).execute();
    await evidence('spf_tree', tree);
    expect((await get(org, 'a.example/spf')).body.advice.record).toBe('v=spf1 include:crm.test -all');
  });

  it('is not known before the first check', async () => {
    const { body } = await get(org, 'quiet.example/spf');
    expect(body).toMatchObject({ checked_at: null, status: 'unknown', record: null, terms: [], absent: [] });
    expect(body.advice.record).toBeNull();
  });
});

describe('a domain whose record is gone', () => {
  it('has no policy, though its newest report still has one', async () => {
    const policy = async () => (await get(org, 'a.example/enforcement')).body.policy.p;
    expect(await policy()).not.toBeNull();
    await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, checked_at, changed_at)
      values (${org.id}, ${domainId}, 'dmarc', 'error', false, '2026-03-09', '2026-03-09')`.execute(served.db);
    await sql`update org_total set changes = changes + 1 where org_id = ${org.id}`.execute(served.db);
    expect(await policy()).toBeNull();
  });
});

describe('both', () => {
  it.each(['dkim-keys', 'spf'])(
    '%s of another organization are as those of a domain that does not exist',
    async (what) => {
      const [theirs, nobodys] = [await get(other, `a.example/${what}`), await get(other, `unknown.example/${what}`)];
      expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
      expect((await get(org, `no_domain%20/${what}`)).status).toBe(400);
    },
  );
});

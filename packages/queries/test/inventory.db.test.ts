import { createOrganization, decideSender } from '@dmarc-ledger/ledger';
import { findSenders, inventorySorts } from '@dmarc-ledger/queries';
import { cloneDatabase, type ClonedDatabase, givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const TODAY = '2026-03-10';
const LIMIT = 29;
const domains = ['a.example', 'b.example', 'c.example'];

/** A row of an address and a domain, with its sender. */
interface Pair {
  domain: string;
  sender: string;
  malicious: boolean;
  messages: number;
  compliant: number;
  first_seen: Date | null;
  last_seen: Date | null;
  decision: string | null;
}

type Sums = Omit<Pair, 'malicious'> & { addresses: number; malicious: number };

let database: ClonedDatabase;

/** An organization, and every pair of an address and a domain that it has mail of. */
interface World {
  orgId: string;
  pairs: Pair[];
}
const worlds: { [name in keyof typeof addresses]?: World } = {};

/** Numbers from 0 to below `n` that look random and are the same in every run. */
function sequence(seed: number): (n: number) => number {
  let state = seed;
  return (n) => (state = (state * 48_271) % 2_147_483_647) % n;
}

const next = sequence(5);
const company = ['198.51.100.1', '198.51.100.2', '198.51.6.1', '2001:db8:1:1::1', '2001:db8:1:2::1'];
const addresses = {
  'of a few services and networks of several addresses among many': () =>
    next(12) === 0 ? company[next(company.length)]! : `10.${next(200)}.${next(200)}.${1 + next(4)}`,
  'of hardly any address that is alone': () =>
    next(5) === 0 ? `2001:db8:${next(9)}:${next(2)}::${1 + next(2)}` : `198.51.${next(60)}.${1 + next(2)}`,
};
const names = Object.keys(addresses) as (keyof typeof addresses)[];

beforeAll(async () => {
  database = await cloneDatabase();
  for (const name of names) worlds[name] = await givenWorld(name);
});
afterAll(() => database[Symbol.asyncDispose]());

async function givenWorld(name: keyof typeof addresses): Promise<World> {
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name });
  const record = () => ({ ip: addresses[name](), count: 1 + next(4), dkim: next(2) === 0, spf: false });
  const reports = domains.flatMap((domain, i) =>
    Array.from({ length: 6 }, (_, day) => ({
      domain,
      begin: `2026-02-0${1 + day}T00:00:00Z`,
      end: `2026-02-0${1 + day}T23:59:59Z`,
      records: Array.from({ length: 3 + 5 * i }, record),
    })),
  );
  await givenReports(db, orgId, reports);
  await sql`update source_total set service_slug = case when source_ip <<= '198.51.6.0/23' then 'sendgrid' else 'mailchimp' end
    where source_ip <<= '198.51.6.0/23' or host(source_ip) like '198.51.2%.2'`.execute(db);
  await sql`update source_total set abuse_status = 'malicious' where host(source_ip) like '%1'`.execute(db);
  await sql`update source_domain set first_seen = null where host(source_ip) like '%4.1'`.execute(db);
  await decideSome(orgId);
  const { rows: pairs } = await sql<Pair>`
    select n.name as domain, k.sender, coalesce(t.abuse_status = 'malicious', false) as malicious, d.messages, d.compliant,
      d.first_seen, d.last_seen, c.decision
    from source_domain d join source_total t using (org_id, source_ip) join domain n on n.id = d.domain_id
      cross join lateral (select coalesce(t.service_slug, sender_network(d.source_ip)) as sender) k
      left join sender_decision c on c.org_id = d.org_id and c.domain_id = d.domain_id and c.sender = k.sender
    where d.org_id = ${orgId}
    union all
    select n.name, c.sender, false, 0, 0, null, null, c.decision from sender_decision c join domain n on n.id = c.domain_id
    where c.org_id = ${orgId}`.execute(db);
  return { orgId, pairs };
}

/** Services and networks of one and of several addresses; the mail of two of them goes away. */
async function decideSome(orgId: string): Promise<void> {
  const { db } = database;
  const { rows } = await sql<{ domain: string; sender: string; addresses: number }>`
    select n.name as domain, coalesce(t.service_slug, sender_network(d.source_ip)) as sender, count(*) as addresses
    from source_domain d join source_total t using (org_id, source_ip) join domain n on n.id = d.domain_id
    where d.org_id = ${orgId} group by 1, 2 order by 3 desc, 1, 2`.execute(db);
  const by = { owner: '', note: '', by: 'ops@example.com' };
  for (const [i, key] of rows.entries())
    if (i % 4 === 0) await decideSender(db, orgId, key, { decision: i % 8 === 0 ? 'ours' : 'not_ours', ...by });
  const gone = [rows[0]!, rows.findLast((_, i) => i % 4 === 0)!];
  for (const { domain, sender } of gone)
    await sql`delete from source_domain d using domain n, source_total t
      where d.org_id = ${orgId} and n.id = d.domain_id and n.name = ${domain} and t.org_id = ${orgId}
        and t.source_ip = d.source_ip and coalesce(t.service_slug, sender_network(d.source_ip)) = ${sender}`.execute(
      db,
    );
  await sql`update domain_total t set sources = (select count(*) from source_domain d
    where d.org_id = t.org_id and d.domain_id = t.domain_id)`.execute(db);
}

/** Every pair in the sums of its sender. */
function summed(pairs: readonly Pair[]): Sums[] {
  const groups = Map.groupBy(pairs, ({ domain, sender }) => `${domain} ${sender}`);
  return [...groups.values()].map((of) => {
    const sum = (value: (pair: Pair) => number) => of.reduce((total, pair) => total + value(pair), 0);
    const times = (name: 'first_seen' | 'last_seen') =>
      of.flatMap((pair) => pair[name] ?? []).toSorted((a, b) => +a - +b);
    return {
      ...of[0]!,
      addresses: sum(({ messages }) => (messages > 0 ? 1 : 0)),
      malicious: sum(({ malicious }) => Number(malicious)),
      messages: sum(({ messages }) => messages),
      compliant: sum(({ compliant }) => compliant),
      first_seen: times('first_seen')[0] ?? null,
      last_seen: times('last_seen').at(-1) ?? null,
    };
  });
}

const keys: { [sort in (typeof inventorySorts)[number]]: (row: Sums) => number | null } = {
  messages: ({ messages }) => messages,
  compliant_messages: ({ compliant }) => compliant,
  failing_messages: ({ messages, compliant }) => messages - compliant,
  addresses: ({ addresses }) => addresses,
  first_seen: ({ first_seen }) => first_seen && first_seen.getTime(),
  last_seen: ({ last_seen }) => last_seen && last_seen.getTime(),
};
const inText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function inOrder(rows: Sums[], sort: keyof typeof keys, direction: 'asc' | 'desc'): Sums[] {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: number | null, b: number | null) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b);
  return rows.toSorted(
    (a, b) => compare(keys[sort](a), keys[sort](b)) || inText(a.domain, b.domain) || inText(a.sender, b.sender),
  );
}

interface Asked {
  domain?: string;
  decision?: 'ours' | 'not_ours' | 'none';
  sender?: string;
}

const filters: Asked[] = [
  {},
  { domain: 'a.example' },
  { domain: 'c.example' },
  { decision: 'none' },
  { decision: 'ours' },
  { decision: 'not_ours', domain: 'b.example' },
  { decision: 'none', domain: 'c.example' },
  { sender: 'sendgrid' },
  { sender: 'mailchimp', domain: 'c.example' },
  { sender: '198.51.100.0/24' },
  { sender: '198.51.8.0/24', decision: 'none' },
];

const asked = names.flatMap((name) => filters.map((filter) => ({ name, filter })));
/** The list by messages is read by an index where it is long; the others are alike in both. */
const listed = [
  ...inventorySorts.map((sortBy) => ({ sortBy, isLong: true })),
  { sortBy: 'messages' as const, isLong: false },
];

describe.each(asked)('an inventory $name: with $filter it has what the addresses add up to', ({ name, filter }) => {
  it.each(listed)('by $sortBy, page after page, long: $isLong', async ({ sortBy, isLong }) => {
    const { db } = database;
    const { orgId, pairs } = worlds[name]!;
    await db.updateTable('org_total').set({ sources_indexed: isLong }).where('org_id', '=', orgId).execute();
    const { domain, decision, sender } = filter;
    const found = await db.selectFrom('domain').select(['id', 'name']).where('org_id', '=', orgId).execute();
    const domainId = found.find(({ name }) => name === domain)?.id;
    const isKept = (pair: Pair) =>
      (domain === undefined || pair.domain === domain) &&
      (sender === undefined || pair.sender === sender) &&
      (decision === undefined || (pair.decision ?? 'none') === decision);
    const expected = summed(pairs.filter(isKept));
    for (const direction of ['asc', 'desc'] as const) {
      const rows: unknown[] = [];
      for (let offset = 0; offset <= expected.length; offset += LIMIT) {
        const page = { sortBy, direction, limit: LIMIT, offset };
        const answer = await findSenders(db, orgId, { domainId, decision, sender, today: TODAY }, page);
        expect(answer.total).toBe(expected.length);
        rows.push(...answer.rows);
      }
      expect(rows).toMatchObject(inOrder(expected, sortBy, direction));
      expect(rows.length).toBe(expected.length);
    }
  });
});

it('a text that is no network finds no sender', async () => {
  const page = { sortBy: 'messages', direction: 'desc', limit: LIMIT, offset: 0 } as const;
  for (const sender of ['198.51.8.0/33', 'fe80::1%eth0/48', '/', 'x/y', '198.51.8.0/24/24'])
    expect(await findSenders(database.db, worlds[names[0]!]!.orgId, { sender, today: TODAY }, page)).toEqual({
      rows: [],
      total: 0,
    });
});

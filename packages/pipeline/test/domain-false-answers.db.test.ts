import { readKeptEvidence } from '@dmarc-ledger/dns-records';
import { findChecks, findEvidence, findHealthFacts } from '@dmarc-ledger/facts';
import { addDomain, createOrganization, setOrganization } from '@dmarc-ledger/ledger';
import {
  enforcementReadiness,
  findBulkSender,
  findCheckChanges,
  findDomains,
  findEnforcement,
  findEnforcementStages,
  findPublishedPolicies,
} from '@dmarc-ledger/queries';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { guardedFetch, openDnsClient } from '@dmarc-ledger/lookups';
import {
  cloneDatabase,
  type ClonedDatabase,
  faultDns,
  type FaultDns,
  givenReports,
  givenSignatures,
} from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askDns, checkDomain, type CheckNeeds } from '../src/index.ts';
import { behave, manners, resolver as resolving, SILENCE_MS } from './domains/false-answers.ts';

const BEGIN = new Date('2026-03-01T00:00:00Z');
const QUARTER = 15 * 60_000;

let database: ClonedDatabase;
let resolver: FaultDns;
let servers: FaultDns[];
let key: { orgId: string; domainId: string };
let rounds = 0;

beforeAll(async () => {
  database = await cloneDatabase();
  resolver = await faultDns({ '*': resolving });
  const first = await faultDns({}, { address: '127.0.0.3' });
  servers = [first, await faultDns({}, { address: '127.0.0.4', port: first.port })];
});
afterAll(async () => {
  await Promise.all([resolver, ...servers].map((server) => server[Symbol.asyncDispose]()));
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  const { id: orgId } = await createOrganization(database.db, { name: `Firm ${(rounds += 1)}` });
  await setOrganization(database, orgId, { reportAddresses: ['rua@ledger.example'] });
  key = { orgId, domainId: (await addDomain(database.db, orgId, 'firm.com', {})).id };
  for (const server of servers) behave(server);
  resolver.scenario['*'] = resolving;
});

/** One check, so many quarters of an hour after the first, and the state that is shown then. */
async function checkAt(quarter: number, more: Partial<CheckNeeds> = {}, timeoutMs = 5_000) {
  const client = openDnsClient({
    servers: [resolver],
    timeoutMs,
    cacheEntries: 0,
    isAllowedServer: () => true,
    perDirectServer: { inFlight: 50, perSecond: Infinity },
  });
  const search = { client, port: servers[0]!.port, isAllowed: () => true };
  const needs = { dns: client, search, https: guardedFetch({ client }), isValidating: false };
  await checkDomain(
    {
      database,
      organizationalDomain: publicSuffixDomains(),
      ask: (signal) => askDns(needs, signal),
      now: () => new Date(BEGIN.getTime() + quarter * QUARTER),
      ...more,
    },
    key,
  );
  const { rows } = await findDomains(database.db, key.orgId, { limit: 1, offset: 0 });
  const { dmarc_state: state, verified_source: source } = rows[0]!;
  return { state, isVerified: source !== null };
}

describe('a verified domain whose servers are not to be trusted', () => {
  it.each(manners)('for an hour: %s', async (_, one, other, expected, timeoutMs) => {
    const check = (quarter: number) => checkAt(quarter, {}, timeoutMs);
    expect(await checkAt(0)).toEqual({ state: 'verified', isVerified: true });
    behave(servers[0]!, one);
    behave(servers[1]!, other);
    const shown = [await check(1), await check(2), await check(3), await check(4)];
    const stands = expected === 'unconfirmed' ? 'verified' : expected;
    expect(shown.map(({ state }) => state)).toEqual([stands, stands, expected, expected]);
    expect(shown.every(({ isVerified }) => isVerified)).toBe(expected !== 'multiple_records');
    for (const server of servers) behave(server);
    expect(await checkAt(5)).toEqual({ state: 'verified', isVerified: true });
  });

  it.each([
    ['fails', { rcode: 2 }],
    ['denies that there is such a domain', { rcode: 3 }],
    ['is away', { drop: true }],
  ])('or whose resolver %s', async (_, behaviour) => {
    await checkAt(0);
    resolver.scenario['*'] = behaviour;
    const check = (quarter: number) => checkAt(quarter, {}, SILENCE_MS);
    const shown = [await check(1), await check(2), await check(3)];
    expect(shown.map(({ state }) => state)).toEqual(['verified', 'verified', 'unconfirmed']);
    expect(shown.every(({ isVerified }) => isVerified)).toBe(true);
  });

  it('or one of whose servers cannot be found', async () => {
    await checkAt(0);
    resolver.scenario['ns2.firm.com'] = { rcode: 3 };
    behave(servers[0]!, () => ({ rcode: 3 }));
    const { state } = await checkAt(1);
    delete resolver.scenario['ns2.firm.com'];
    expect(state).toBe('verified');
  });

  it('is not published once two servers agree that it is not', async () => {
    await checkAt(0);
    for (const server of servers) behave(server, () => ({ rcode: 3 }));
    expect(await checkAt(1)).toEqual({ state: 'not_published', isVerified: false });
  });
});

describe('what a check may cost is bounded', () => {
  it('by names, whatever the domain publishes', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const selectors = Array.from({ length: 40 }, (_, i) => ({
      domainId: key.domainId,
      signer: 'firm.com',
      selector: `s${i}`,
      messages: 1,
      day,
    }));
    await givenSignatures(database.db, key.orgId, selectors);
    const spf = `v=spf1 ${Array.from({ length: 40 }, (_, i) => `include:i${i}.firm.com`).join(' ')} -all`;
    for (const server of servers)
      behave(server, ({ name, type }) => {
        if (type === 'MX')
          return {
            answers: Array.from({ length: 60 }, (_, i) => ({
              type,
              name,
              ttl: 60,
              data: { preference: i, exchange: `mx${i}.firm.com` },
            })),
          };
        if (type !== 'TXT') return undefined;
        return { answers: [{ type, name, ttl: 60, data: /^i\d/.test(name) ? 'v=spf1 -all' : spf }] };
      });
    for (const { seen } of [resolver, ...servers]) seen.length = 0;
    await checkAt(0);
    const asked = servers.flatMap(({ seen }) => seen);
    const tlsa = resolver.seen.filter(({ type }) => type === 'TLSA');
    expect(new Set([...asked, ...tlsa].map(({ name }) => name)).size).toBeLessThanOrEqual(80);
    expect(new Set(tlsa.map(({ name }) => name)).size).toBe(15);
    expect(asked.length).toBeLessThanOrEqual(2 * 80 * 1.2); // some names are queried for two types
  });

  it('by names, of which those with keys or with mail leave enough to read all of an SPF record', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const ordinals = Array.from({ length: 20 }, (_, i) => i);
    const signature = { domainId: key.domainId, signer: 'firm.com', messages: 1, day };
    await givenSignatures(
      database.db,
      key.orgId,
      ordinals.map((i) => ({ ...signature, selector: `s${i}` })),
    );
    await database.pool.query(
      `insert into sending_subdomain (org_id, domain_id, name, first_day, day, messages)
       select $1, $2, 'sub' || i || '.firm.com', $3, $3, 1 from generate_series(0, 19) as i`,
      [key.orgId, key.domainId, BEGIN],
    );
    const spf = `v=spf1 mx ${ordinals
      .slice(0, 8)
      .map((i) => `include:i${i}.firm.com`)
      .join(' ')} -all`;
    for (const server of servers)
      behave(server, ({ name, type }) => {
        const answer = (data: unknown) => ({ type, name, ttl: 60, data }) as never;
        if (name.startsWith('sub')) return { rcode: 3 };
        if (type === 'A' && name.startsWith('mx')) return { answers: [answer('192.0.2.1')] };
        if (type === 'MX' && name === 'firm.com')
          return { answers: ordinals.slice(0, 5).map((i) => answer({ preference: i, exchange: `mx${i}.firm.com` })) };
        if (type !== 'TXT' || !/^(i\d\.)?firm\.com$/.test(name)) return undefined;
        return { answers: [answer(name === 'firm.com' ? spf : 'v=spf1 ip4:192.0.2.9 -all')] };
      });
    await checkAt(0);
    const { spf_tree: tree } = readKeptEvidence(await findEvidence(database.db, key.orgId, key.domainId, ['spf_tree']));
    expect(tree?.body).toMatchObject({ record: spf, isComplete: true });
    const { rows } = await database.pool.query<{ absent: string[] }>(
      `select facts -> 'absent' as absent from domain_check where domain_id = $1 and subject = 'subdomains'`,
      [key.domainId],
    );
    expect(rows[0]?.absent).toHaveLength(20);
  });

  it('not by what its records hold: bytes that no table can are shown as such', async () => {
    const odd = 'v=spf1 ip4:\u0000\u0001x -all';
    for (const server of servers)
      behave(server, ({ name, type }) =>
        type === 'TXT' && name === 'firm.com' ? { answers: [{ type, name, ttl: 60, data: odd }] } : undefined,
      );
    await checkAt(0);
    const { rows } = await database.pool.query<{ details: string }>(
      `select details from domain_check where domain_id = $1 and subject = 'spf'`,
      [key.domainId],
    );
    expect(rows).toEqual([{ details: expect.stringContaining('\uFFFD\uFFFDx') as string }]);
  });

  it('by time, when nothing answers', async () => {
    const never = () => new Promise<never>(() => {});
    const ask = () => ({
      isValidating: true,
      text: never,
      mailServers: never,
      addresses: never,
      isNameAbsent: never,
      validatedMailServers: never,
      tlsa: never,
      fetch: never,
      presented: never,
    });
    expect(await checkAt(0, { ask, limits: { total: 60_000, protocol: 20, silent: 20 } })).toMatchObject({
      state: 'unconfirmed',
    });
    expect(await checkAt(1, { ask, limits: { total: 20, protocol: 60_000, silent: 60_000 } })).toMatchObject({
      state: 'unconfirmed',
    });
  });

  it('by time, when what is asked last is not answered either: that is waited for only briefly', async () => {
    await database.pool.query(
      `insert into sending_subdomain (org_id, domain_id, name, first_day, day, messages)
       values ($1, $2, 'gone.firm.com', $3, $3, 1)`,
      [key.orgId, key.domainId, BEGIN],
    );
    const silent = async () => ({ kind: 'unconfirmed', reason: 'timeout' }) as const;
    const insecure = async () => ({ found: await silent(), isSecure: false });
    const names: string[] = [];
    const ask = () => ({
      isValidating: true,
      text: silent,
      mailServers: silent,
      addresses: silent,
      isNameAbsent: (name: string) => new Promise<never>(() => void names.push(name)),
      validatedMailServers: insecure,
      tlsa: insecure,
      fetch: async () => ({ kind: 'silent', reason: 'timeout' }) as const,
      presented: async () => ({ kind: 'unasked' }) as const,
    });
    const limits = { total: 600_000, protocol: 600_000, silent: 20 }; // longer than a test may run
    expect(await checkAt(0, { ask, limits })).toMatchObject({ state: 'unconfirmed' });
    expect(names).toEqual(['gone.firm.com']);
  });

  it('by time, when mail servers swallow every connection: their records are judged without', async () => {
    const none = async () => ({ kind: 'none' }) as const;
    const mx = { kind: 'found', values: [{ preference: 10, host: 'mx.firm.com' }] } as const;
    const tlsa = { usage: 3, selector: 1, matching: 1, data: Buffer.alloc(32) };
    const ask = () => ({
      isValidating: true,
      text: none,
      mailServers: async () => mx,
      addresses: none,
      isNameAbsent: async () => false,
      validatedMailServers: async () => ({ found: mx, isSecure: true }),
      tlsa: async () => ({ found: { kind: 'found', values: [tlsa] } as const, isSecure: true }),
      fetch: async () => ({ kind: 'silent', reason: 'timeout' }) as const,
      presented: () => new Promise<never>(() => {}),
    });
    await checkAt(0, { ask, limits: { total: 60_000, protocol: 500, silent: 500 } });
    const checks = await findChecks(database.db, key.orgId, key.domainId);
    expect(checks.find(({ subject }) => subject === 'dane')).toMatchObject({
      status: 'ok',
      details: 'All mail servers have matching DANE records.',
      notes: ['The certificate of mx.firm.com could not be compared: no time is left.'],
    });
  });
});

it('a policy that was read stands for scores while nothing can be read, and falls with an answer', async () => {
  const kept = async () => {
    const checks = await findChecks(database.db, key.orgId, key.domainId);
    const { status, policy, policy_read_at: readAt } = checks.find(({ subject }) => subject === 'dmarc')!;
    const [facts] = (await findHealthFacts(database.db, key.orgId, 'firm.com', '2026-03-01'))!.checks.filter(
      ({ subject }) => subject === 'dmarc',
    );
    expect(facts).toMatchObject({ policy, policy_read_at: readAt });
    return [status, policy?.p, readAt && (readAt.getTime() - BEGIN.getTime()) / QUARTER];
  };
  await checkAt(0);
  expect(await kept()).toEqual(['ok', 'reject', 0]);
  for (const server of servers) behave(server, () => ({ drop: true }));
  await checkAt(1, {}, SILENCE_MS);
  await checkAt(2, {}, SILENCE_MS);
  expect(await kept()).toEqual(['unknown', 'reject', 0]);
  for (const server of servers) behave(server);
  await checkAt(3);
  expect(await kept()).toEqual(['ok', 'reject', 3]);
  for (const server of servers) behave(server, () => ({ rcode: 3 }));
  await checkAt(4);
  expect(await kept()).toEqual(['error', undefined, null]);
  for (const server of servers) behave(server, () => ({ drop: true }));
  await checkAt(5, {}, SILENCE_MS);
  expect(await kept()).toEqual(['unknown', undefined, null]);
});

/** What is said of the DMARC record so many days after the first check, with reports that name a policy of none. */
async function saidAfter(days: number) {
  const now = new Date(BEGIN.getTime() + days * 86_400_000);
  const today = now.toISOString().slice(0, 10);
  const window = { days: 30, today, now };
  const found = (await findEnforcement(database.db, key.orgId, { domain: 'firm.com', ...window }))!;
  const [stage] = await findEnforcementStages(database.db, key.orgId, window);
  const readiness = await enforcementReadiness(database.db, key.orgId, found, now);
  const bulk = await findBulkSender(database.db, key.orgId, { ...key, domain: 'firm.com', today, now });
  const published = await findPublishedPolicies(database.db, key.orgId, { now });
  return {
    verdict: found.verdict.verdict,
    stage: stage?.verdict,
    policy: found.policy.p,
    rua: found.tags?.get('rua'),
    np: readiness.find(({ topic }) => topic === 'np')?.state,
    bulk: bulk.items.find(({ requirement }) => requirement === 'dmarc_record')?.state,
    isUnpublished: published.get('firm.com')?.isUnpublished,
  };
}

async function givenMail() {
  const days = Array.from({ length: 14 }, (_, ago) => addDays('2026-03-01', -ago));
  await givenReports(
    database.db,
    key.orgId,
    days.map((day) => ({
      domain: 'firm.com',
      begin: `${day}T00:00:00Z`,
      end: `${day}T23:59:59Z`,
      policy: { p: 'none' },
      records: [{ ip: '192.0.2.1', count: 100 }],
    })),
  );
}

describe('a check without an answer says nothing new of the record', () => {
  const missing = { verdict: 'no valid record', stage: 'no valid record', policy: null, rua: undefined };

  it.each([
    ['is missing', () => ({ rcode: 3 }), { ...missing, bulk: 'not_met', isUnpublished: true }],
    [
      'is there',
      undefined,
      { verdict: 'ready', policy: 'reject', rua: 'mailto:rua@ledger.example', bulk: 'met', isUnpublished: false },
    ],
  ])('where it %s, for a week', async (_, behaviour, expected) => {
    await givenMail();
    for (const server of servers) behave(server, behaviour);
    await checkAt(0);
    const said = await saidAfter(0);
    expect(said).toMatchObject(expected);
    for (const server of servers) behave(server, () => ({ drop: true }));
    await checkAt(1, {}, SILENCE_MS);
    await checkAt(2, {}, SILENCE_MS);
    expect(await saidAfter(6)).toEqual(said);
    expect(await saidAfter(8)).toMatchObject({
      verdict: 'ready',
      policy: 'none',
      rua: undefined,
      isUnpublished: undefined,
    });
  });
});

it('a change is kept once, with what was there before; a check that sees the same keeps nothing', async () => {
  const changes = async () => {
    const rows = await findCheckChanges(database.db, key.orgId, key.domainId, 100);
    return rows
      .filter(({ subject }) => subject === 'dmarc_state')
      .map(({ before, status, records }) => [before, status, records]);
  };
  await checkAt(0);
  const all = (await findCheckChanges(database.db, key.orgId, key.domainId, 100)).length;
  await Promise.all([checkAt(1), checkAt(1)]);
  expect((await findCheckChanges(database.db, key.orgId, key.domainId, 100)).length).toBe(all);
  const RECORD = 'v=DMARC1; p=reject; rua=mailto:rua@ledger.example';
  expect(await changes()).toEqual([[null, 'verified', [RECORD]]]);
  for (const server of servers) behave(server, () => ({ rcode: 3 }));
  await checkAt(2);
  expect(await changes()).toEqual([
    ['verified', 'not_published', []],
    [null, 'verified', [RECORD]],
  ]);
});

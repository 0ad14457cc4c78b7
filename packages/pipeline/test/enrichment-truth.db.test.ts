import { makeApi } from '@dmarc-ledger/api';
import { createKey } from '@dmarc-ledger/ledger';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf } from './enrichment/address.ts';
import { times } from './enrichment/dice.ts';
import { detailOf, inOrder, rowOf, topRowOf } from './enrichment/expect-body.ts';
import { verdictOf } from './enrichment/expect-lists.ts';
import { classOf, expectSource, hasFailures, sumsOf, type Expected } from './enrichment/expect-source.ts';
import { hostOf } from './enrichment/host.ts';
import { openEnrichingLedger, type EnrichingLedger } from './enrichment/fixture.ts';
import { mailOf, reportIdOf, reportsOf } from './enrichment/mail.ts';
import { startServers, type Servers } from './enrichment/servers.ts';
import { firstDifferences } from './enrichment/differences.ts';

/** `npm run soak` has 5,000. */
const ADDRESSES = Number(process.env['ENRICHED_ADDRESSES'] ?? 400);
const SAMPLED = 100;

let servers: Servers;
let ledger: EnrichingLedger;
let api: ReturnType<typeof makeApi>;
// oxlint-disable-next-line typescript/no-explicit-any -- what a client gets has no type
let get: (path: string) => Promise<any>;

const addresses = times(ADDRESSES, addressOf);
const mail = new Map(addresses.map((address) => [address.ip, mailOf(address)]));
const known = (scopeOf: (sent: Expected) => 'ingest' | 'full') =>
  addresses.map((address) => {
    const ingest = expectSource(address, mail.get(address.ip)!, 'ingest');
    return scopeOf(ingest) === 'ingest' ? ingest : expectSource(address, mail.get(address.ip)!, 'full');
  });

beforeAll(async () => {
  servers = await startServers(addresses);
  ledger = await openEnrichingLedger(servers);
  api = makeApi({ db: ledger.database.db, reads: ledger.database.reads, now: () => new Date('2026-01-10T00:00:00Z') });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  const { key } = await createKey(ledger.database.db, ledger.orgId, { scope: 'read' });
  get = async (path) => await (await fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).json();
  await ledger.handIn(...reportsOf([...mail.values()].flat()));
  await ledger.settled();
});
afterAll(async () => {
  await api.close();
  await ledger[Symbol.asyncDispose]();
  await servers[Symbol.asyncDispose]();
});

it('knows nothing of an address before it is looked up, and says so', async () => {
  const [first] = addresses;
  const body = await get(`/sources/${first!.ip}`);
  expect(body).not.toHaveProperty('enrichment');
  expect(body.blocklist_verdict.severity).toBe('unchecked');
  expect((await get('/sources?reputation=unknown')).total).toBe(0);
});

it('asks the few lists first, each address once, and says that it asked few', async () => {
  await ledger.lookUp();
  expect(await differingFacts(known(() => 'ingest'))).toEqual([]);
  const publics = addresses.filter(({ isPublic }) => isPublic);
  const answered = publics.filter((address) => !hostOf(address).isSilent);
  expect((await servers.knot.counts())['PTR']).toBe(answered.length);
  expect(servers.reputation.seen.map(({ ip }) => ip).sort()).toEqual(publics.map(({ ip }) => ip).sort());
});

it('then asks all lists about those that fail or send much, and the few again about the others', async () => {
  await ledger.makeDue(['lists']);
  await ledger.lookUp();
  expect(await differingFacts(known(isWorthAll))).toEqual([]);
});

it('returns every source with its true fields, over HTTP', async () => {
  const expected = new Map(known(isWorthAll).map((one) => [one.address.ip, rowOf(one)]));
  const rows = await pages('/sources?sort_by=source_ip&sort_dir=asc');
  expect(rows.map(({ source_ip }) => source_ip)).toHaveLength(ADDRESSES);
  expect(
    firstDifferences(
      rows,
      rows.map(({ source_ip }) => expected.get(source_ip)),
    ),
  ).toEqual([]);
});

it('returns everything about one source, of every kind', async () => {
  const all = known(isWorthAll);
  for (const one of all.filter((_, i) => i % (ADDRESSES / SAMPLED) === 0)) {
    const { records, ...body } = await get(`/sources/${encodeURIComponent(one.address.ip)}`);
    const found = { ...body, records: inOrder(records) };
    expect(JSON.parse(JSON.stringify(found).replaceAll(LOOKED_UP, '"looked up"'))).toEqual(detailOf(one));
  }
});

it('names services among the busiest', async () => {
  const expected = known(isWorthAll)
    .toSorted((a, b) => sumsOf(b).total - sumsOf(a).total || a.address.index - b.address.index)
    .slice(0, 200)
    .map(topRowOf);
  const { sources } = await get('/top-sources?limit=200');
  const order = (rows: { source_ip: string; count: number }[]) =>
    rows.toSorted((a, b) => b.count - a.count || (a.source_ip < b.source_ip ? -1 : 1));
  const least = expected.at(-1)!.count;
  const above = (rows: { source_ip: string; count: number }[]) => order(rows.filter(({ count }) => count > least));
  expect(above(sources)).toEqual(JSON.parse(JSON.stringify(above(expected))));
});

it('finds sources by their reputation, their failures and their service, and counts them', async () => {
  const all = known(isWorthAll);
  const named = (words: string) => (one: Expected) => one.service?.name.toLowerCase().includes(words) === true;
  const rated = (status: string) => (one: Expected) => one.address.isPublic && one.abuse === status;
  const questions: [query: string, isFound: (one: Expected) => boolean][] = [
    ...(['clean', 'suspicious', 'malicious', 'unknown'] as const).map(
      (status): [string, (one: Expected) => boolean] => [`reputation=${status}`, rated(status)],
    ),
    ['has_failures=true', hasFailures],
    ['search=SendGrid', named('sendgrid')],
    ['search=google', named('google')],
    ['search=mail', named('mail')],
    ['search=i', (one) => named('i')(one)],
    ['search=sendgrid&reputation=malicious', (one) => named('sendgrid')(one) && rated('malicious')(one)],
    ['reputation=clean&has_failures=true', (one) => rated('clean')(one) && hasFailures(one)],
    ['search=improvmx&has_failures=true', (one) => named('improvmx')(one) && hasFailures(one)],
  ];
  for (const [query, isFound] of questions) {
    const expected = all.filter(isFound).map(({ address }) => address.ip);
    const { total } = await get(`/sources?${query}&limit=1`);
    expect({ query, total }).toEqual({ query, total: expected.length });
    const rows = await pages(`/sources?${query}&sort_by=compliance`);
    expect(new Set(rows.map(({ source_ip }) => source_ip))).toEqual(new Set(expected));
    expect(rows).toHaveLength(expected.length);
  }
});

it('has given every record its class, and no sum differs from what it is made of', async () => {
  const all = new Map(known(isWorthAll).map((one) => [one.address.ip, one]));
  const { rows } = await ledger.database.pool.query<{ ip: string; class: string; key: string }>(
    `select host(source_ip) as ip, class, domain || ' day ' || (r.day - date '2026-01-01') || ' ' || c.messages as key
     from report_record c join report r on r.org_id = c.org_id and r.id = c.report_id`,
  );
  const found = rows.map(({ ip, key, class: named }) => `${ip} ${key} ${named}`);
  const expected = [...mail.values()]
    .flat()
    .map((sent) => `${sent.address.ip} ${reportIdOf(sent)} ${sent.count} ${classOf(sent, all.get(sent.address.ip)!)}`);
  expect(firstDifferences(found.sort(), expected.sort())).toEqual([]);
  expect(await ledger.drift()).toBe(0);
  expect(ledger.faults).toEqual([]);
});

/** This year, which no report is about. */
const LOOKED_UP = /(?<="(?:enriched|updated)_at":)"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g;

function isWorthAll(one: Expected): 'ingest' | 'full' {
  const { total, pass } = sumsOf(one);
  return total > pass || total >= 100 ? 'full' : 'ingest';
}

// oxlint-disable-next-line typescript/no-explicit-any -- as above
async function pages(path: string): Promise<any[]> {
  const rows = [];
  for (;;) {
    const { sources, total } = await get(`${path}&limit=200&offset=${rows.length}`);
    rows.push(...sources);
    if (rows.length >= total || sources.length === 0) return rows;
  }
}

/** The stored facts of addresses that differ from the expected ones. */
async function differingFacts(all: Expected[]): Promise<unknown[]> {
  const rows = await ledger.database.db.selectFrom('ip_enrichment').selectAll().orderBy('address').execute();
  const kept = new Map(rows.map((row) => [row.address, row]));
  const found = all.map(({ address: { ip } }) => {
    const row = kept.get(ip)!;
    return {
      ip,
      planned: row.planned,
      ptr: row.ptr_state,
      hostname: row.hostname,
      scope: row.list_scope,
      score: row.abuse_score,
      usage: row.usage_type,
      isp: row.isp,
      country: row.country,
      code: row.country_code,
      isKnown: row.enriched_at !== null,
      severity: row.verdict?.severity,
      names: row.verdict?.names,
      checked: row.verdict?.checked,
      total: row.verdict?.total,
    };
  });
  const expected = all.map(({ address, host, scope, score, isp, country, countryCode }) => {
    const verdict = address.isPublic ? verdictOf(address, scope) : undefined;
    return {
      ip: address.ip,
      planned: false,
      ptr: host.state,
      hostname: host.name,
      scope: verdict ? scope : null,
      score: score?.score ?? null,
      usage: score?.usage ?? null,
      isp: isp ?? null,
      country: country ?? null,
      code: countryCode ?? null,
      isKnown: address.isPublic,
      severity: verdict?.severity,
      names: verdict?.names,
      checked: verdict?.checked,
      total: verdict?.total,
    };
  });
  return firstDifferences(found, expected);
}

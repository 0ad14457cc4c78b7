import { findEnrichments } from '@dmarc-ledger/facts';
import { noReputation, openDnsClient, openGeo, openZoneAsker } from '@dmarc-ledger/lookups';
import type { Blocklist, ListResult, Tier } from '@dmarc-ledger/sources';
import { cloneDatabase, faultDns, type ClonedDatabase, type DnsBehaviour, type FaultDns } from '@dmarc-ledger/testkit';
import { present } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openOutside, watchZones, type ZoneWatch } from '../src/index.ts';
import { enrichAddresses } from '../src/sources/enrich-addresses.ts';

const ip = '45.0.0.1';
const labels = '1.0.0.45';
const silent: DnsBehaviour = { drop: true };
const notListed: DnsBehaviour = { rcode: 3 };

const list = (id: string, rank: number, tier: Tier): Blocklist => ({
  id,
  name: `List ${id}`,
  rank,
  tier,
  zone: { v4: `${id}.test` },
  category: 'spam',
  ingest: true,
  enabled: true,
  selfTest: 'rfc5782',
  key: 'none',
  usage: '',
});
const [zen, barrier, cop, pot] = [list('zen', 1, 3), list('barrier', 2, 3), list('cop', 3, 2), list('pot', 4, 2)];
const all = [zen, barrier, cop, pot];

let database: ClonedDatabase;
let dns: FaultDns;
let zones: ZoneWatch;

beforeEach(async () => {
  database = await cloneDatabase();
  dns = await faultDns(Object.fromEntries(all.map(({ id }) => [`2.0.0.127.${id}.test`, listedIn(`2.0.0.127.${id}`)])));
  await database.pool.query('insert into ip_enrichment (address) values ($1)', [ip]);
  zones = watch(all);
});
afterEach(async () => {
  await zones.close();
  await dns[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

function listedIn(name: string) {
  const answers = [{ type: 'A' as const, name: `${name}.test`, ttl: 300, data: '127.0.0.2' }];
  return ({ type }: { type: string }): DnsBehaviour => (type === 'A' ? { answers } : {});
}

function client() {
  return openDnsClient({ servers: [dns], timeoutMs: 200, cacheEntries: 0 });
}

function watch(lists: readonly Blocklist[]): ZoneWatch {
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  return watchZones({ database, asker: openZoneAsker({ client: client() }), lists, everyMs: 50, onFault });
}

/** How a list answers about the address from now on. */
function answers({ id }: Blocklist, how: DnsBehaviour | 'listed'): void {
  dns.scenario[`${labels}.${id}.test`] = how === 'listed' ? listedIn(`${labels}.${id}`) : how;
}

/** The next self-test of a list's zone gets these answers. */
async function failTest({ id }: Blocklist, canary: string, how: DnsBehaviour | ReturnType<typeof listedIn>) {
  dns.scenario[`${canary}.${id}.test`] = how;
  await testAgain(id);
  await vi.waitFor(() => expect(zones.isWorking(id, 'v4')).toBe(false), { timeout: 30_000 });
}

async function testAgain(id: string): Promise<void> {
  await database.pool.query('update blocklist_zone set next_test_at = now() where list = $1', [id]);
}

async function check(lists: readonly Blocklist[] = all) {
  await zones.tested();
  const asker = openZoneAsker({ client: client() });
  const outside = openOutside({ dns: client(), geo: openGeo(), reputation: noReputation, lists, zones, asker });
  await database.pool.query('update ip_enrichment set planned = true, lists_due_at = now()');
  await enrichAddresses({ database, outside }, { addresses: [ip] });
  const [row] = await findEnrichments(database.db, [ip]);
  const { verdict, version } = present(row);
  return { verdict, version, results: await results() };
}

async function results(): Promise<{ [list: string]: { result: ListResult; checked_at: Date } }> {
  const { rows } = await database.pool.query('select list, result, checked_at from blocklist_result');
  return Object.fromEntries(rows.map(({ list: id, ...row }) => [id, row]));
}

describe('a listing', () => {
  it('stands while its list does not answer, with its age, and ends when the list says so', async () => {
    answers(cop, 'listed');
    const before = await check();
    expect(before.verdict).toMatchObject({ severity: 'warning', listed: 1, total: 4 });
    answers(cop, silent);
    const after = await check();
    expect(after.verdict).toMatchObject({ severity: 'warning', listed: 1, clean: 3, errored: 0, total: 4 });
    expect(after.verdict?.summary).toMatch(/Not confirmed by the last check: List cop\.$/);
    expect(after.version).toBe(before.version);
    expect(after.results['cop']!.checked_at).toEqual(before.results['cop']!.checked_at);
    expect(after.results['pot']!.checked_at.getTime()).toBeGreaterThan(before.results['pot']!.checked_at.getTime());
    answers(cop, notListed);
    expect((await check()).verdict).toMatchObject({ severity: 'clean', summary: 'Not listed on any of 4 blocklists.' });
  });

  it('stands while its list is suspended, and is confirmed when the list answers again', async () => {
    answers(zen, 'listed');
    const before = await check();
    expect(before.verdict).toMatchObject({ severity: 'critical', tiers: [3] });
    await failTest(zen, '2.0.0.127', { rcode: 5 });
    const after = await check();
    expect(after.verdict).toMatchObject({ severity: 'critical', tiers: [3], listed: 1, isUnconfirmed: true });
    expect(after.version).toBe(before.version);
    expect(after.results['zen']!.result.unconfirmed).toMatchObject({ failure: 'the list is suspended' });
    dns.scenario['2.0.0.127.zen.test'] = listedIn('2.0.0.127.zen');
    await testAgain('zen');
    await vi.waitFor(() => expect(zones.isWorking('zen', 'v4')).toBe(true), { timeout: 30_000 });
    const { verdict } = await check();
    expect(verdict).toMatchObject({ severity: 'critical', listed: 1 });
    expect(verdict).not.toHaveProperty('isUnconfirmed');
  });

  it('of an enforced list stands beside a lesser one that was confirmed', async () => {
    answers(zen, 'listed');
    answers(cop, 'listed');
    await check();
    answers(zen, silent);
    expect((await check()).verdict).toMatchObject({ severity: 'critical', listed: 2, isUnconfirmed: true });
    answers(cop, notListed);
    expect((await check()).verdict).toMatchObject({ severity: 'critical', listed: 1, names: ['List zen'] });
  });

  it('ends when its list is no longer used', async () => {
    answers(cop, 'listed');
    await check();
    expect((await check([zen, barrier, pot])).verdict).toMatchObject({ severity: 'clean', listed: 0, total: 3 });
  });

  it('ends when no list is used any more', async () => {
    answers(cop, 'listed');
    await check([cop]);
    expect((await check([])).verdict).toMatchObject({ severity: 'unchecked', listed: 0, total: 0 });
  });

  it('ends when its list turns out to list what no list may', async () => {
    answers(zen, 'listed');
    await check();
    await failTest(zen, '1.0.0.127', listedIn('1.0.0.127.zen'));
    expect((await check()).verdict).toMatchObject({ severity: 'clean', listed: 0 });
  });

  it.each([
    ['beside lists that answer', all],
    ['of the only list', [zen]],
  ])('ends when its list has been silent for a week, %s', async (_, lists) => {
    answers(zen, 'listed');
    await check(lists);
    answers(zen, silent);
    for (const [days, severity] of [
      [0, 'critical'],
      [6.9, 'critical'],
      [7.1, lists === all ? 'clean' : 'degraded'],
    ] as const) {
      await database.pool.query(
        `update blocklist_result set result = jsonb_set(result, '{unconfirmed,since}', to_jsonb($1::text))
         where result ? 'unconfirmed'`,
        [new Date(Date.now() - days * 86_400_000).toISOString()],
      );
      expect((await check(lists)).verdict).toMatchObject({ severity });
    }
  });
});

describe('an address', () => {
  it('is not called clean while all lists that receivers enforce are suspended', async () => {
    expect((await check()).verdict).toMatchObject({ severity: 'clean' });
    for (const one of [zen, barrier]) await failTest(one, '2.0.0.127', { rcode: 5 });
    expect((await check()).verdict).toMatchObject({
      severity: 'degraded',
      total: 2,
      summary: 'Not listed on any of 2 blocklists, but none of those that many receivers enforce answered.',
    });
  });

  it('is called clean where no list that receivers enforce is used', async () => {
    expect((await check([cop, pot])).verdict).toMatchObject({ severity: 'clean', total: 2 });
  });
});

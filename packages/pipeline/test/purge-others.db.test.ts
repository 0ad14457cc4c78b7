import {
  acknowledgeEvent,
  addDomain,
  addUsage,
  createKey,
  createOrganization,
  cutoffsOf,
  endInTime,
  raiseEvents,
  removeOthers,
  type Retention,
} from '@dmarc-ledger/ledger';
import { type Database, openDatabase, transact } from '@dmarc-ledger/schema';
import { holding, over, rearmOf, rememberedForEver, type Judgement } from '@dmarc-ledger/scoring';
import { travellingClock } from '@dmarc-ledger/testkit';
import { alertTypes, newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewPurge, purgeLedger } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { failureMail, placementJson, tlsJson } from './other-reports.ts';
import { another, given, type Place } from './purge-fixture.ts';

const USUAL: Retention = { days: 400, rawDays: 90, failureReportDays: 30 };
const START = Date.now();

let ledger: Ledger;
/** The same database, on another day. */
let later: Database;
let itIsIn: (days: number) => void;

beforeAll(async () => {
  ledger = await openLedger('Postgres');
  later = openDatabase(ledger.databaseUrl);
  const clock = travellingClock(later);
  itIsIn = (days) => clock.set(new Date(START + days * 86_400_000));
});
afterAll(async () => {
  await later.close();
  await ledger[Symbol.asyncDispose]();
});

async function cutoffsIn(days: number, retention = USUAL) {
  itIsIn(days);
  return await cutoffsOf(later.db, retention);
}

async function countRows({ orgId }: Place, ...tables: string[]): Promise<number[]> {
  return await Promise.all(
    tables.map(async (table) => {
      const counted = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)} where org_id = ${orgId}`;
      return (await counted.execute(later.db)).rows[0]!.rows;
    }),
  );
}

/** Purges as of so many days from now, and checks that the preview counted the same. */
async function purgeIn(days: number, { orgId }: Place, retention = USUAL) {
  const cutoffs = await cutoffsIn(days, retention);
  const foretold = await previewPurge(later, orgId, cutoffs);
  const purged = await purgeLedger(later, orgId, cutoffs);
  expect(purged).toEqual(foretold);
  return purged;
}

describe('what is in no rollup goes by its age, with all that hangs from it', () => {
  const kinds = ['tlsrpt_report', 'tlsrpt_failure', 'aprf_report', 'aprf_row', 'failure_report'];
  const reports = () => [tlsJson({}), placementJson({}), failureMail({})];

  it('reports on TLS, on placement and on failures', async () => {
    const [place, other] = [await another(ledger), await another(ledger)];
    for (const each of [place, other]) await given(each, reports());
    const all = [1, 2, 1, 1, 1];
    expect(await countRows(place, ...kinds)).toEqual(all);
    await purgeIn(29, place);
    expect(await countRows(place, ...kinds)).toEqual(all);
    expect(await purgeIn(31, place)).toMatchObject({ tlsrpt: 0, aprf: 0, failureReports: 1 });
    await purgeIn(399, place);
    expect(await countRows(place, ...kinds)).toEqual([1, 2, 1, 1, 0]);
    expect(await purgeIn(401, place)).toMatchObject({ tlsrpt: 1, aprf: 1, failureReports: 0 });
    expect(await countRows(place, ...kinds)).toEqual([0, 0, 0, 0, 0]);
    expect(await countRows(other, ...kinds)).toEqual(all);
  });

  it('a report that a replay has stored again, by the age of its delivery', async () => {
    const place = await another(ledger);
    await given(place, [failureMail({})]);
    const stored = (Date.now() + 20 * 86_400_000).toString(16).padStart(12, '0'); // twenty days later
    const id = `${stored.slice(0, 8)}-${stored.slice(8)}-7000-8000-000000000001`;
    await sql`update failure_report set id = ${id} where org_id = ${place.orgId}`.execute(later.db);
    expect(await purgeIn(29, place)).toMatchObject({ failureReports: 0 });
    expect(await purgeIn(31, place)).toMatchObject({ failureReports: 1 });
  });

  it('events that were resolved, acknowledged, or just raised; one that still holds stays', async () => {
    const place = await another(ledger);
    const raise = (...judgements: Judgement[]) =>
      transact(later, (session) => raiseEvents(session, place.orgId, judgements));
    itIsIn(0);
    await raise(
      ...['open', 'late', 'over', 'seen'].map((name) => holding('spf_permissive', { domain: `${name}.example` })),
    );
    await raise(over('spf_permissive', 'over.example'), holding('new_source', { domain: 'raised.example' }));
    const named = await later.db
      .selectFrom('event')
      .select(['id', 'domain'])
      .where('org_id', '=', place.orgId)
      .execute();
    await acknowledgeEvent(later.db, place.orgId, named.find(({ domain }) => domain === 'seen.example')!.id, 'me');
    itIsIn(200);
    await raise(over('spf_permissive', 'late.example'));
    await purgeIn(399, place);
    expect(await countRows(place, 'event')).toEqual([5]);
    expect(await purgeIn(401, place)).toMatchObject({ events: 3 });
    const left = await later.db.selectFrom('event').select('domain').where('org_id', '=', place.orgId).execute();
    expect(left.map(({ domain }) => domain).toSorted()).toEqual(['late.example', 'open.example']);
  });

  it('changes found of domains', async () => {
    const place = await another(ledger);
    const { id: domainId } = await addDomain(later.db, place.orgId, 'changing.example', {});
    const change = {
      org_id: place.orgId,
      domain_id: domainId,
      subject: 'dmarc',
      status: 'ok',
      details: '',
      records: [],
    };
    for (const days of [0, 10])
      await later.db
        .insertInto('domain_check_change')
        .values({ ...change, id: newId(), at: new Date(START + days * 86_400_000) })
        .execute();
    expect(await purgeIn(399, place)).toMatchObject({ domainChanges: 0 });
    expect(await purgeIn(401, place)).toMatchObject({ domainChanges: 1 });
    expect(await countRows(place, 'domain_check_change', 'domain')).toEqual([1, 1]);
  });

  it('names that no remaining report of their domain can have brought', async () => {
    const place = await another(ledger);
    const { id: domainId } = await addDomain(later.db, place.orgId, 'named.example', {});
    const day = (days: number) => new Date(START + days * 86_400_000).toISOString().slice(0, 10);
    const [of, messages] = [{ org_id: place.orgId, domain_id: domainId }, 1];
    for (const days of [-30, 0, 10]) {
      const [name, last] = [`n${days + 30}`, day(days)];
      await later.db
        .insertInto('dkim_selector')
        .values({ ...of, signer: 'named.example', selector: name, messages, last_day: last, first_day: last })
        .execute();
      await later.db
        .insertInto('sending_subdomain')
        .values({ ...of, name: `${name}.named.example`, first_day: last, day: last, messages })
        .execute();
    }
    const left = async () => [await countRows(place, 'dkim_selector'), await countRows(place, 'sending_subdomain')];

    await later.db
      .insertInto('domain_day')
      .values({ ...of, day: day(-20), reports: 1, messages: 1, compliant: 1, spf_pass: 1, dkim_pass: 1 })
      .execute();
    expect(await purgeIn(401, place)).toMatchObject({ selectors: 1, subdomains: 1 });
    await later.db.deleteFrom('domain_day').where('org_id', '=', place.orgId).execute();
    expect(await purgeIn(401, place)).toMatchObject({ selectors: 1, subdomains: 1 });
    expect(await left()).toEqual([[1], [1]]);
  });

  it('the use of keys, but not within 90 days', async () => {
    const place = await another(ledger);
    const { id: keyId } = await createKey(later.db, place.orgId, { scope: 'read' });
    const use = { orgId: place.orgId, keyId, hour: Math.floor(START / 3_600_000), requests: 1, rejected: 0, errors: 0 };
    await addUsage(later.db, newId(), [use]);
    const short = { ...USUAL, days: 10 };
    expect(await purgeIn(89, place, short)).toMatchObject({ usageHours: 0 });
    expect(await purgeIn(399, place)).toMatchObject({ usageHours: 0 });
    expect(await purgeIn(91, place, short)).toMatchObject({ usageHours: 1 });
    expect(await countRows(place, 'usage_hour')).toEqual([0]);
  });
});

describe('of conditions', () => {
  const domain = 'example.com';
  const codes = alertTypes.map(({ code }) => code);
  /** Their keys contain a time that does not recur. */
  const isOfATime = (code: (typeof codes)[number]) => {
    const rearm = rearmOf[code];
    return (typeof rearm === 'object' && rearm.isOnce) || (rearm === 'never' && !rememberedForEver.includes(code));
  };
  const raise = (orgId: string, judgements: Judgement[]) =>
    transact(later, (session) => raiseEvents(session, orgId, judgements));
  const raisedAt = (days: number) => holdingAt(codes, days);
  const holdingAt = (of: typeof codes, days: number) =>
    of.map((code) => holding(code, { domain, occurrence: String(days).padStart(4, '0') }));

  /** Each condition there starts and ends, and one lasts. */
  async function withHistory(): Promise<string> {
    const { id } = await createOrganization(later.db, { name: newId() });
    itIsIn(0);
    await raise(id, [...raisedAt(0), holding('spf_permissive', { domain: 'open.example' })]);
    itIsIn(1);
    const ending = codes.filter((code) => rearmOf[code] === 'after_a_day' || code === 'policy_upgrade_ready');
    await raise(
      id,
      ending.map((code) => over(code, domain)),
    );
    itIsIn(100);
    await transact(later, (session) => endInTime(session, id, domain));
    return id;
  }
  const typesOf = async (orgId: string) => {
    const held = await later.db
      .selectFrom('event_condition')
      .select(['type', 'domain'])
      .where('org_id', '=', orgId)
      .orderBy('key')
      .execute();
    return held.map(({ type, domain: about }) => (about === domain ? type : about));
  };
  const eventsSince = async (orgId: string, days: number) =>
    await later.db
      .selectFrom('event')
      .select(['type', 'domain', 'severity'])
      .where('org_id', '=', orgId)
      .where('created_at', '>=', new Date(START + (days - 1) * 86_400_000))
      .orderBy('dedup_key')
      .execute();

  it('those that are over go, and what is raised afterwards is what would have been', async () => {
    const [purged, twin] = [await withHistory(), await withHistory()];
    expect(await typesOf(twin)).toHaveLength(codes.length + 1);
    await purgeIn(399, { ...ledger, orgId: purged });
    expect(await typesOf(purged)).toEqual(await typesOf(twin));
    // conditions that end by themselves are over since the hundredth day
    await purgeIn(501, { ...ledger, orgId: purged });
    expect(await typesOf(purged)).toEqual([...rememberedForEver, 'open.example'].toSorted());

    const again = holdingAt(
      codes.filter((code) => !isOfATime(code)),
      502,
    );
    itIsIn(502);
    const first = await raise(purged, again);
    expect(first).toEqual(await raise(twin, again));
    expect(first.raised).toBe(again.length - rememberedForEver.length);
    expect(await eventsSince(purged, 502)).toEqual(await eventsSince(twin, 502));
    expect(await raise(purged, again)).toEqual({ raised: 0, resolved: 0 });
  });

  it('one that waits until it may be raised again is kept until then, however short the rest is kept', async () => {
    const { id } = await createOrganization(later.db, { name: newId() });
    const ready = holding('policy_upgrade_ready', { domain, parts: [domain, 'none'] });
    itIsIn(0);
    await raise(id, [ready]);
    itIsIn(1);
    await raise(id, [over('policy_upgrade_ready', domain, 'none')]);
    await purgeIn(80, { ...ledger, orgId: id }, { ...USUAL, days: 1 });
    expect(await typesOf(id)).toEqual(['policy_upgrade_ready']);
    await purgeIn(181, { ...ledger, orgId: id }, { ...USUAL, days: 1 });
    expect(await typesOf(id)).toEqual([]);
  });

  it('one that comes back after its event was deleted has another event, with the days of the first', async () => {
    const { id } = await createOrganization(later.db, { name: newId() });
    const ready = holding('policy_upgrade_ready', { domain });
    itIsIn(0);
    await raise(id, [ready]);
    itIsIn(1);
    await raise(id, [over('policy_upgrade_ready', domain)]);
    await purgeIn(80, { ...ledger, orgId: id }, { ...USUAL, days: 1 });
    expect(await eventsSince(id, 0)).toEqual([]);
    expect(await raise(id, [ready])).toEqual({ raised: 1, resolved: 0 });
    expect(await raise(id, [ready])).toEqual({ raised: 0, resolved: 0 });
    itIsIn(91);
    expect(await raise(id, [ready])).toEqual({ raised: 1, resolved: 0 });
  });

  it('many go in batches, and those of others stay', async () => {
    const [{ id }, { id: other }] = [
      await createOrganization(later.db, { name: newId() }),
      await createOrganization(later.db, { name: newId() }),
    ];
    for (const orgId of [id, other])
      await sql`insert into event_condition (org_id, key, type, severity, holds, raised_at, event_id)
        select ${orgId}, 'quota_near_limit/' || n, 'quota_near_limit', 'warning', false, ledger_now(), gen_random_uuid()
        from generate_series(1, 1200) n`.execute(later.db);
    const { conditions } = await cutoffsIn(700);
    const batches: number[] = [];
    do batches.push(await removeOthers(later.db, id, 'eventConditions', conditions!));
    while (batches.at(-1)! > 0);
    expect(batches).toEqual([500, 500, 200, 0]);
    expect(await countRows({ ...ledger, orgId: other }, 'event_condition')).toEqual([1200]);
  });
});

import { createOrganization, type LookupPlan, noteSources, planLookups } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';

const plan: LookupPlan = { inHand: 1_000_000, inHandBesideIntake: 400, atOnce: 400, inJob: 20, lostAfterSeconds: 600 };

let database: ClonedDatabase;
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const addressesOf = (network: number, count: number) =>
  Array.from({ length: count }, (_, i) => `45.${network}.${i >> 8}.${i & 255}`);

async function givenOrg(name: string): Promise<string> {
  return (await createOrganization(database.db, { name })).id;
}

async function hears(orgId: string, addresses: readonly string[], isFailing = true): Promise<void> {
  const sources = addresses.map((address) => ({ address, isFailing }));
  await transact(database, (session) => noteSources(session, orgId, sources));
}

/** The addresses that one call of the planner has planned. */
async function planned(more: Partial<LookupPlan> = {}): Promise<string[]> {
  await database.pool.query('delete from outbox');
  const count = await planLookups(database, { ...plan, ...more });
  const { rows } = await database.pool.query<{ address: string }>(
    `select jsonb_array_elements_text(payload -> 'addresses') as address from outbox where job = 'enrichAddresses'`,
  );
  expect(rows).toHaveLength(count);
  return rows.map(({ address }) => address);
}

it('five addresses of one organization are among the first, though another waits for twenty thousand', async () => {
  const [flooded, calm] = [await givenOrg('Flooded'), await givenOrg('Calm')];
  await hears(flooded, addressesOf(1, 20_000));
  const own = addressesOf(2, 5);
  await hears(calm, own, false); // and are not even failing
  const first = await planned();
  expect(first).toHaveLength(400);
  expect(first).toEqual(expect.arrayContaining(own));
});

it('no share is wasted: an organization that is alone gets all of it', async () => {
  await hears(await givenOrg('Alone'), addressesOf(1, 1_000));
  const all = [...(await planned()), ...(await planned()), ...(await planned())];
  expect(all).toHaveLength(1_000);
  expect(new Set(all).size).toBe(1_000);
  expect(await planned()).toEqual([]);
});

it('an address that several organizations wait for is planned once, in the first turn', async () => {
  const [flooded, calm] = [await givenOrg('Flooded'), await givenOrg('Calm')];
  await hears(flooded, addressesOf(1, 5_000));
  const [shared] = addressesOf(1, 5_000).slice(-1);
  await hears(calm, [shared!]);
  const first = await planned({ atOnce: 10 });
  expect(first).toContain(shared);
  const rest: string[] = [];
  for (let some = await planned(); some.length > 0; some = await planned()) rest.push(...some);
  expect(rest).not.toContain(shared);
  expect(rest).toHaveLength(4_990);
});

it('within a share what fails comes before what passes, also where that became known later', async () => {
  const org = await givenOrg('Org');
  await hears(org, addressesOf(1, 20), false);
  await hears(org, addressesOf(2, 3));
  await hears(org, addressesOf(1, 20).slice(-2));
  expect((await planned({ atOnce: 5 })).toSorted()).toEqual(
    [...addressesOf(1, 20).slice(-2), ...addressesOf(2, 3)].toSorted(),
  );
});

it('what is due again takes its turn too', async () => {
  const [flooded, calm] = [await givenOrg('Flooded'), await givenOrg('Calm')];
  await hears(calm, addressesOf(2, 3));
  await hears(flooded, addressesOf(1, 3_000));
  for (let some = await planned(); some.length > 0;) some = await planned();
  await database.pool.query('update ip_enrichment set planned = false, priority = 2, due_at = now()'); // a day later
  await hears(flooded, addressesOf(3, 3_000));
  const soon: string[] = [];
  for (let call = 0; call < 3; call += 1) soon.push(...(await planned()));
  expect(soon).toEqual(expect.arrayContaining(addressesOf(2, 3)));
});

it('an address that only a removed organization had queued is looked up when another organization sees it', async () => {
  const [leaving, staying] = [await givenOrg('Leaving'), await givenOrg('Staying')];
  await hears(leaving, addressesOf(1, 2));
  await database.pool.query('delete from awaited_address where org_id = $1', [leaving]);
  expect(await planned()).toEqual([]);
  await hears(staying, addressesOf(1, 1));
  expect(await planned()).toEqual(addressesOf(1, 1));
  await database.pool.query(`update ip_enrichment set due_at = now() where in_line`); // a day later
  expect(await planned()).toEqual(addressesOf(1, 2).slice(1));
});

it('addresses seen while nothing is looked up stand in no queue, and are looked up once lookups are switched on', async () => {
  const [early, late] = [await givenOrg('Early'), await givenOrg('Late')];
  const addresses = addressesOf(1, 3);
  const sources = addresses.map((address, i) => ({ address, isFailing: i === 0 }));
  const note = (orgId: string) =>
    transact(database, (session) => noteSources(session, orgId, sources, { areLookedUp: false }));
  await note(early);
  await note(early);
  await note(late);
  const { rows } = await database.pool.query('select from awaited_address');
  expect(rows).toHaveLength(0);
  await hears(late, addresses.slice(2), false);
  expect((await planned()).toSorted()).toEqual(addresses);
  expect(await planned()).toEqual([]);
});

it('an address seen by processes with and without lookups at once is looked up once', async () => {
  const orgs = [await givenOrg('On'), await givenOrg('Off')];
  const sources = addressesOf(1, 200).map((address) => ({ address, isFailing: true }));
  await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      transact(database, (session) => noteSources(session, orgs[i & 1]!, sources, { areLookedUp: i < 4 })),
    ),
  );
  const all: string[] = [];
  for (let some = await planned(); some.length > 0; some = await planned()) all.push(...some);
  expect(all.toSorted()).toEqual(sources.map(({ address }) => address).toSorted());
});

it('planners side by side hand on each address once', async () => {
  for (const [i, name] of ['A', 'B', 'C'].entries()) await hears(await givenOrg(name), addressesOf(i + 1, 700));
  let total = 0;
  for (let some = -1; some !== 0;) {
    some = (await Promise.all([1, 2, 3].map(() => planLookups(database, plan)))).reduce((a, b) => a + b);
    total += some;
  }
  expect(total).toBe(2_100);
  const { rows } = await database.pool.query('select from awaited_address');
  expect(rows).toHaveLength(0);
});

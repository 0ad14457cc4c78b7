import {
  addDomain,
  addTarget,
  createOrganization,
  listPlans,
  listTargets,
  openDimensions,
  removeDomain,
  setPlan,
} from '@dmarc-ledger/ledger';
import { type Database, openDatabase } from '@dmarc-ledger/schema';
import { cloneDatabase, type ClonedDatabase, faultProxy, type FaultProxy } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { afterEach, beforeEach, expect, it } from 'vitest';

let database: ClonedDatabase;
let line: FaultProxy;
let shaky: Database;
let orgId: string;

beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
  line = await faultProxy(Number(new URL(database.url).port));
  shaky = openDatabase(Object.assign(new URL(database.url), { hostname: '127.0.0.1', port: String(line.port) }).href);
  line.toxic.dropReplyAfter = /commit/;
});
afterEach(async () => {
  await shaky.close();
  await line[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

it('a target whose commit is not answered is added once', async () => {
  const target = { kind: 'email' as const, address: 'a@example.com', types: [], least_severity: 'info' as const };
  const { id } = await addTarget(shaky, orgId, { ...target, seal: () => null });
  expect((await listTargets(database.db, orgId)).map((one) => one.id)).toEqual([id]);
  expect(line.ended()).toBe(1);
});

it('a webhook whose commit is not answered is new, and has the secret that is shown', async () => {
  const hook = { kind: 'webhook' as const, address: 'https://hooks.example.com/', least_severity: 'info' as const };
  let sealed = 0;
  const seal = () => Buffer.from(`secret ${(sealed += 1)}`);
  const { id, wasKnown } = await addTarget(shaky, orgId, { ...hook, seal }, { form: newId() });
  expect(wasKnown).toBe(false);
  expect(await listTargets(database.db, orgId)).toMatchObject([{ id, secret: Buffer.from(`secret ${sealed}`) }]);
  expect(line.ended()).toBe(1);
});

it('a domain whose removal is not answered is reported as removed', async () => {
  await addDomain(database.db, orgId, 'example.com', {});
  expect(await removeDomain(shaky, orgId, 'example.com')).toBe(true);
  expect(await removeDomain(shaky, orgId, 'example.com')).toBe(false);
  expect(line.ended()).toBe(1);
});

it('new domains whose commit is not answered have one id each', async () => {
  const ids = await openDimensions(shaky).domainIds(orgId, ['one.example', 'two.example']);
  expect(await openDimensions(database).domainIds(orgId, ['one.example', 'two.example'])).toEqual(ids);
  expect(line.ended()).toBe(1);
});

it('a plan whose commit is not answered has what was set', async () => {
  await setPlan(shaky, { code: 'ten', hourlyQuota: 10 });
  expect(await listPlans(database.db)).toContainEqual({ code: 'ten', hourly_quota: 10, api: true });
  expect(line.ended()).toBe(1);
});

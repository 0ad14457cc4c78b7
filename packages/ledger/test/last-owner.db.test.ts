import { addUser, createOrganization, listUsers, removeUser } from '@dmarc-ledger/ledger';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { newId, type Role } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const [ann, ben, cleo] = ['Ann@example.com', 'ben@example.com', 'cleo@example.com'] as const;
const owner = (email: string) => ({ email, role: 'owner' as const });
let database: ClonedDatabase;
let orgId: string;

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  orgId = (await createOrganization(database.db, { name: newId() })).id;
  for (const email of [ann, ben]) await addUser(database.db, orgId, owner(email));
});

const remaining = async () =>
  (await listUsers(database.db, orgId)).filter(({ removed_at }) => removed_at === null).map(({ email }) => email);

async function waiting(): Promise<number> {
  const { rows } =
    await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database.db,
    );
  return rows.length;
}

/** All of them under way at the same time: none goes on before all wait, and the first to wait goes on first. */
async function together(changes: (() => Promise<unknown>)[]): Promise<string[]> {
  const under = await database.db.transaction().execute(async (trx) => {
    await sql`select from app_user where org_id = ${orgId} for update`.execute(trx);
    const begun: Promise<string>[] = [];
    for (const change of changes) {
      const outcome = change().then(
        () => 'done',
        ({ code }: { code: string }) => code,
      );
      begun.push(outcome);
      await expect.poll(waiting).toBe(begun.length);
    }
    return begun;
  });
  return (await Promise.all(under)).toSorted();
}

it('of two owners who remove each other at the same time, one stays', async () => {
  const { db } = database;
  const outcomes = await together([
    () => removeUser(db, orgId, ben, owner(ann.toLowerCase())),
    () => removeUser(db, orgId, ann, owner(ben)),
  ]);
  expect(outcomes).toEqual(['done', 'not_allowed']);
  expect(await remaining()).toHaveLength(1);
});

it('an owner who is being removed cannot add another owner', async () => {
  const { db } = database;
  const outcomes = await together([
    () => removeUser(db, orgId, ben, owner(ann)),
    () => addUser(db, orgId, owner(cleo), owner(ben)),
  ]);
  expect(outcomes).toEqual(['done', 'not_allowed']);
  expect(await remaining()).toEqual([ann]);
});

it('the only owner does not leave', async () => {
  const { db } = database;
  await removeUser(db, orgId, ben, owner(ann));
  await expect(removeUser(db, orgId, ann, owner(ann))).rejects.toMatchObject({ code: 'last_owner' });
  expect(await remaining()).toEqual([ann]);
});

it('the operator of the server removes the only owner too, also by two commands at the same time', async () => {
  const { db } = database;
  const outcomes = await together([() => removeUser(db, orgId, ann), () => removeUser(db, orgId, ben)]);
  expect(outcomes).toEqual(['done', 'done']);
  expect(await remaining()).toEqual([]);
});

it('of three owners who remove each other in a ring at the same time, one who was removed removes none', async () => {
  const { db } = database;
  await addUser(db, orgId, owner(cleo));
  const outcomes = await together([
    () => removeUser(db, orgId, ben, owner(ann)),
    () => removeUser(db, orgId, cleo, owner(ben)),
    () => removeUser(db, orgId, ann, owner(cleo)),
  ]);
  expect(outcomes.filter((outcome) => outcome === 'done').length).toBe(3 - (await remaining()).length);
  expect(await remaining()).not.toEqual([]);
});

it.each([
  ['an admin removes no owner', 'admin', ben],
  ['nor one who was an owner before', 'owner', ben],
] as const)('%s', async (_, role: Role, email) => {
  await addUser(database.db, orgId, { email: cleo, role: 'admin' });
  const removal = removeUser(database.db, orgId, email, { email: cleo, role });
  await expect(removal).rejects.toMatchObject({ code: 'not_allowed' });
  expect(await remaining()).toContain(email);
});

it('an admin removes the other admin, and not one who was made an owner meanwhile', async () => {
  const { db } = database;
  await addUser(db, orgId, { email: cleo, role: 'admin' });
  await removeUser(db, orgId, cleo, owner(ann));
  expect(await remaining()).toEqual([ann, ben]);
  await addUser(db, orgId, { email: cleo, role: 'admin' });
  await removeUser(db, orgId, ben);
  await addUser(db, orgId, owner(ben));
  await expect(removeUser(db, orgId, ben, { email: cleo, role: 'admin' })).rejects.toMatchObject({
    code: 'not_allowed',
  });
});

import {
  addUser,
  createKey,
  createOrganization,
  ensurePerson,
  findMemberships,
  listSubscriptions,
  listUsers,
  removeUser,
  subscribe,
  unsubscribe,
} from '@dmarc-ledger/ledger';
import { admitIdentity, findPerson } from '@dmarc-ledger/ledger/for-web';
import { migrate, type Db } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { errorCode, newId, normalizeDomain } from '@dmarc-ledger/vocabulary';
import { expect, it } from 'vitest';

const WRITTEN = 'Anna@Bücher.example';
const ASCII = 'anna@xn--bcher-kva.example';

it.each([
  [WRITTEN, ASCII],
  [ASCII, WRITTEN],
])('takes %s and %s for one person', async (added, given) => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Example Ltd' });
  await addUser(db, orgId, { email: added, role: 'viewer' });
  await expect(addUser(db, orgId, { email: given, role: 'owner' })).rejects.toMatchObject({ code: 'user_exists' });
  expect(await ensurePerson(db, added)).toEqual(await ensurePerson(db, given));
  expect(await findPerson(db, given)).toMatchObject({ email: ASCII });
  expect(await findMemberships(db, given)).toMatchObject([{ orgId, role: 'viewer' }]);
  await createKey(db, orgId, { scope: 'read', ownerEmail: given });
  const now = new Date('2026-01-01T00:00:00Z');
  expect(await subscribe(db, orgId, given, { frequency: 'weekly', domains: [], now })).toBe(true);
  expect(await unsubscribe(db, orgId, given)).toBe(true);
  expect(await listSubscriptions(db, orgId)).toEqual([]);
  await removeUser(db, orgId, given);
  expect(await listUsers(db, orgId)).toMatchObject([{ removed_at: expect.any(Date) }]);
  await addUser(db, orgId, { email: given, role: 'analyst' });
  expect(await findMemberships(db, added)).toMatchObject([{ orgId, role: 'analyst' }]);
});

it('admits an account of a provider by its address, with A-labels or as people write it', async () => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Example Ltd' });
  for (const email of [WRITTEN, 'bert@straße.example']) await addUser(db, orgId, { email, role: 'viewer' });
  const account = (subject: string, email: string) => ({
    issuer: 'https://login.example',
    subject,
    email,
    isVerified: true,
  });
  const anna = await ensurePerson(db, ASCII);
  expect(await admitIdentity(db, account('1', ASCII))).toMatchObject({ id: anna.id });
  expect(await admitIdentity(db, account('1', WRITTEN))).toMatchObject({ id: anna.id });
  expect(await admitIdentity(db, account('2', WRITTEN))).toBe('other_account_linked');
  // for older programs ß is ss, a name of others
  expect(await admitIdentity(db, account('3', 'bert@straße.example'))).toBe('email_unverified');
  const proved = account('3', `bert@${normalizeDomain('straße.example')}`);
  expect(await admitIdentity(db, proved)).toMatchObject({ email: proved.email });
});

/** Members and persons as a version before this one stored them. */
async function addAsBefore(db: Db, orgId: string, email: string) {
  await db.insertInto('app_user').values({ org_id: orgId, id: newId(), email, role: 'viewer' }).execute();
  await db
    .insertInto('person')
    .values({ id: newId(), email: email.toLowerCase(), password_hash: null, password_set_at: null })
    .execute();
}

it('brings addresses that an older version stored into the one form, and leaves those that are taken', async () => {
  await using database = await cloneDatabase();
  const { db, url } = database;
  const [one, both] = [
    await createOrganization(db, { name: 'Example Ltd' }),
    await createOrganization(db, { name: 'Both Ltd' }),
  ];
  await addAsBefore(db, one.id, WRITTEN);
  await addAsBefore(db, one.id, 'Carl@Example.com.');
  for (const email of ['dora@münchen.example', 'dora@xn--mnchen-3ya.example']) await addAsBefore(db, both.id, email);
  for (let round = 0; round < 2; round += 1) {
    await migrate(url);
    expect((await listUsers(db, one.id)).map(({ email }) => email)).toEqual([
      'Anna@xn--bcher-kva.example',
      'Carl@example.com',
    ]);
    expect(await findPerson(db, WRITTEN)).toMatchObject({ email: ASCII });
    expect(await findPerson(db, 'carl@example.com')).toMatchObject({ email: 'carl@example.com' });
    expect((await listUsers(db, both.id)).map(({ email }) => email)).toEqual([
      'dora@münchen.example',
      'dora@xn--mnchen-3ya.example',
    ]);
  }
  // each of the two can be removed as it is listed, and then the other is brought into the form
  await removeUser(db, both.id, 'dora@xn--mnchen-3ya.example');
  await migrate(url);
  expect((await listUsers(db, both.id)).map(({ email, removed_at }) => [email, removed_at === null])).toEqual([
    ['dora@münchen.example', false],
    ['dora@xn--mnchen-3ya.example', true],
  ]);
  expect(await findMemberships(db, 'dora@münchen.example')).toHaveLength(1);
});

it('adds one of several members at the same time whose addresses differ in how they are written', async () => {
  await using database = await cloneDatabase();
  const { id } = await createOrganization(database.db, { name: 'Example Ltd' });
  const emails = [WRITTEN, ASCII, WRITTEN.toUpperCase(), 'anna@bücher.example'];
  const results = await Promise.allSettled(emails.map((email) => addUser(database.db, id, { email, role: 'viewer' })));
  const codes = results.map((result) => (result.status === 'rejected' ? errorCode(result.reason) : 'added'));
  expect(codes.map(String).toSorted()).toEqual(['added', 'user_exists', 'user_exists', 'user_exists']);
});

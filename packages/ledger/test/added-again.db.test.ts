import { addUser, createKey, createOrganization, identifyCaller, listKeys, removeUser } from '@dmarc-ledger/ledger';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { expect, it } from 'vitest';

it('a member who is added again has no key of before, and keys of others stay', async () => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id } = await createOrganization(db, { name: 'Example Ltd' });
  const keyOf = async (email: string) => (await createKey(db, id, { scope: 'read', ownerEmail: email })).key;
  for (const email of ['anna@example.com', 'bert@example.com']) await addUser(db, id, { email, role: 'owner' });
  const [before, other] = [await keyOf('anna@example.com'), await keyOf('bert@example.com')];
  await removeUser(db, id, 'anna@example.com');
  await addUser(db, id, { email: 'anna@example.com', role: 'viewer' });
  const after = await keyOf('anna@example.com');
  const callers = await Promise.all([before, other, after].map((key) => identifyCaller(db, key)));
  expect(callers.map((caller) => caller !== undefined)).toEqual([false, true, true]);
  expect((await listKeys(db, id)).map(({ owner, revoked_at }) => [owner, revoked_at !== null])).toEqual([
    ['anna@example.com', false],
    ['bert@example.com', false],
    ['anna@example.com', true],
  ]);
});

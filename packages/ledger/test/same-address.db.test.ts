import { addUser, createOrganization, listUsers, removeUser } from '@dmarc-ledger/ledger';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { errorCode } from '@dmarc-ledger/vocabulary';
import { expect, it } from 'vitest';

it('adds one of two members at the same time whose addresses differ in upper and lower case alone', async () => {
  await using database = await cloneDatabase();
  const { id } = await createOrganization(database.db, { name: 'Example Ltd' });
  for (let round = 0; round < 10; round += 1) {
    const emails = [`anna${round}@example.com`, `ANNA${round}@example.com`, `Anna${round}@Example.com`];
    const results = await Promise.allSettled(
      emails.map((email) => addUser(database.db, id, { email, role: 'viewer' })),
    );
    const codes = results.map((result) => (result.status === 'rejected' ? errorCode(result.reason) : 'added'));
    expect(codes.map(String).toSorted()).toEqual(['added', 'user_exists', 'user_exists']);
  }
});

it('removes a member whose address is given in upper case', async () => {
  await using database = await cloneDatabase();
  const { id } = await createOrganization(database.db, { name: 'Example Ltd' });
  for (const email of ['anna@example.com', 'bert@example.com'])
    await addUser(database.db, id, { email, role: 'viewer' });
  await removeUser(database.db, id, 'Anna@Example.com');
  expect((await listUsers(database.db, id)).map(({ email, removed_at }) => [email, removed_at !== null])).toEqual([
    ['anna@example.com', true],
    ['bert@example.com', false],
  ]);
});

import { admitAttempt } from '@dmarc-ledger/ledger/for-web';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';

const OF_NETWORK = 100;

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(async () => await database[Symbol.asyncDispose]());

it('stores nothing more about attempts of a network that has had all of its own', async () => {
  const { db } = database;
  const attempt = async (i: number) => await admitAttempt(db, { email: `any-${i}@example.com`, network: '192.0.2.1' });
  const admitted = await Promise.all(Array.from({ length: OF_NETWORK + 20 }, (_, i) => attempt(i)));
  expect(admitted.filter(Boolean)).toHaveLength(OF_NETWORK);
  const rows = await db.selectFrom('sign_in_attempt').select('subject').execute();
  expect(rows).toHaveLength(1 + 2 * OF_NETWORK);
  expect(await admitAttempt(db, { email: 'any-1@example.com', network: '192.0.2.2' })).toBe(true);
});

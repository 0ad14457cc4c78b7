import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

it('runs a transaction again that the server ended because the process had been still for too long', async () => {
  await using database = await cloneDatabase();
  let runs = 0;
  const answer = await transact(database, async ({ db }) => {
    runs += 1;
    await sql`set local idle_in_transaction_session_timeout = '50ms'`.execute(db);
    if (runs === 1) standStill(500);
    return (await sql<{ one: number }>`select 1 as one`.execute(db)).rows;
  });
  expect(answer).toEqual([{ one: 1 }]);
  expect(runs).toBe(2);
});

/** Nothing else happens in the process meanwhile: the server's final message is read after the next query was sent. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

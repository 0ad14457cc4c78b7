import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { openReads, type Reads } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

const [BUSY, QUIET] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
const CONNECTIONS = 2;

let database: ClonedDatabase;
let reads: Reads;
beforeAll(async () => {
  database = await cloneDatabase();
  reads = openReads(database.url, { connections: CONNECTIONS });
});
afterAll(async () => {
  await reads.close();
  await database[Symbol.asyncDispose]();
});

it('lets an organization that asks for much delay itself, not another one', async () => {
  const ended: string[] = [];
  const busy = Array.from({ length: 8 }, async () => {
    await sql`select pg_sleep(0.2)`.execute(reads.of(BUSY));
    ended.push('busy');
  });
  const quiet = sql`select 1`.execute(reads.of(QUIET)).then(() => ended.push('quiet'));
  await Promise.all([...busy, quiet]);
  expect(ended.indexOf('quiet')).toBeLessThanOrEqual(CONNECTIONS + 1);
  expect(reads.load().waiting).toBe(0);
});

it('lets an organization that is alone use every connection', async () => {
  const begun = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, async () => sql`select pg_sleep(1)`.execute(reads.of(BUSY))));
  expect(performance.now() - begun).toBeLessThan(1_900);
});

it('keeps no turn after statements and connections that failed', async () => {
  const failing = Array.from({ length: 6 }, async () => await sql`select 1/0`.execute(reads.of(BUSY)).catch(() => {}));
  await Promise.all(failing);
  const cut = Array.from(
    { length: CONNECTIONS },
    async () => await sql`select pg_terminate_backend(pg_backend_pid())`.execute(reads.of(BUSY)).catch(() => {}),
  );
  await Promise.all(cut);
  const found = await Promise.all(
    Array.from({ length: 2 * CONNECTIONS }, async () => await sql`select 1`.execute(reads.of(QUIET)).catch(() => {})),
  );
  expect(found).toHaveLength(2 * CONNECTIONS);
  expect((await sql`select 1 as one`.execute(reads.of(QUIET))).rows).toEqual([{ one: 1 }]);
  expect(reads.load().waiting).toBe(0);
});

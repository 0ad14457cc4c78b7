import { createKey, createOrganization, findQuotaUse } from '@dmarc-ledger/ledger';
import { findKeyUsage, findRequests, findUsage } from '@dmarc-ledger/queries';
import { cloneDatabase, type ClonedDatabase, type WatchedReads, watchReads } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

const HOUR = 480_000;
const ORGANIZATIONS = 40;

let database: ClonedDatabase;
let watched: WatchedReads;
let orgId: string;

beforeAll(async () => {
  database = await cloneDatabase();
  for (let i = 0; i < ORGANIZATIONS; i += 1) {
    orgId = (await createOrganization(database.db, { name: `Organization ${i}` })).id;
    for (let j = 0; j < 10; j += 1) await createKey(database.db, orgId, { scope: 'read' });
  }
  await sql`insert into usage_hour (org_id, hour, key_id, requests, rejected, errors)
    select org_id, to_timestamp(hour * 3600), id, 1, 0, 0
    from api_key, generate_series(${HOUR - 200}::bigint, ${HOUR}::bigint) as hour`.execute(database.db);
  await sql`analyze`.execute(database.db);
  watched = watchReads(database);
});
afterAll(() => database[Symbol.asyncDispose]());

it.each<[string, (db: WatchedReads['db']) => Promise<unknown>]>([
  ['a history', (db) => findUsage(db, orgId, { from: HOUR - 24, to: HOUR }, 'hour')],
  ['the keys of an organization', (db) => findKeyUsage(db, orgId, { from: HOUR - 24, to: HOUR })],
  ['an hour of an organization', (db) => findRequests(db, orgId, HOUR)],
  ['an hour of all', (db) => findQuotaUse(db, new Date(HOUR * 3_600_000))],
])('usage is never read whole for %s', async (_, read) => {
  expect(await watched.readWhole(() => read(watched.db))).toEqual([]);
});

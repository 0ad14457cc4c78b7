import { beginHealth, createOrganization, planHealth, saveHealth } from '@dmarc-ledger/ledger';
import { type Database, transact } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const DAY_MS = 86_400_000;

/** A monitored domain, and how to store a health of it that a clock this far from ours has dated. */
async function givenDomain(database: Database) {
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const domainId = newId();
  await database.db
    .insertInto('domain')
    .values({ org_id: orgId, id: domainId, name: 'shop.example', source: 'manual' })
    .execute();
  const now = Date.now();
  return async (score: string, days: number) => {
    const health = { body: { score } as never, computedAt: new Date(now + days * DAY_MS), dueAt: 'infinity' };
    await transact(database, (session) => saveHealth(session, { orgId, domainId }, health));
    return (await database.db.selectFrom('domain_health').select('body').executeTakeFirstOrThrow()).body;
  };
}

it('a health is stored unless a newer one is there, and replaces one that a clock ahead has dated', async () => {
  await using database = await cloneDatabase();
  const save = await givenDomain(database);
  expect(await save('of a week ago', -7)).toEqual({ score: 'of a week ago' });
  expect(await save('of two weeks ago', -14)).toEqual({ score: 'of a week ago' });
  expect(await save('of next month', 30)).toEqual({ score: 'of next month' });
  expect(await save('of now', 0)).toEqual({ score: 'of now' });
});

it('a health that a clock behind has dated before the one that is there is computed again soon', async () => {
  await using database = await cloneDatabase();
  const save = await givenDomain(database);
  await save('before a report', 30_000 / DAY_MS); // by a clock that is half a minute ahead
  await sql`update domain set health_planned = true, health_due_at = now() + interval '10 minutes'`.execute(
    database.db,
  );
  expect(await save('with the report', 0)).toEqual({ score: 'before a report' });
  const { due } = await database.db
    .selectFrom('domain')
    .select(sql<boolean>`not health_planned and health_due_at < now() + interval '2 minutes'`.as('due'))
    .executeTakeFirstOrThrow();
  expect(due).toBe(true);
});

it('a health that ends after the next one was planned leaves that one planned', async () => {
  await using database = await cloneDatabase();
  const { db } = database;
  const { id: orgId } = await createOrganization(db, { name: 'Org' });
  const domainId = newId();
  await db.insertInto('domain').values({ org_id: orgId, id: domainId, name: 'a.example', source: 'manual' }).execute();
  const begin = async () => {
    await sql`update domain set health_due_at = now()`.execute(db);
    expect(await planHealth(database, { inHand: 10, atOnce: 10 })).toBe(1);
    return { body: {} as never, computedAt: new Date(), dueAt: (await beginHealth(db, orgId, domainId))!.dueAt };
  };
  const save = async (health: Awaited<ReturnType<typeof begin>>) => {
    await transact(database, (session) => saveHealth(session, { orgId, domainId }, health));
    const isNextDay = sql<boolean>`health_due_at > now() + interval '23 hours'`.as('is_next_day');
    return await db.selectFrom('domain').select(['health_planned', isNextDay]).executeTakeFirstOrThrow();
  };
  const slow = await begin();
  const next = await begin();
  expect(await save(slow)).toEqual({ health_planned: true, is_next_day: false });
  expect(await save(next)).toEqual({ health_planned: false, is_next_day: true });
});

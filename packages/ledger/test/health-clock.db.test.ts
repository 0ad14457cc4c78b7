import { createOrganization, saveHealth } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { newId } from '@dmarc-ledger/vocabulary';
import { expect, it } from 'vitest';

const DAY_MS = 86_400_000;

it('a health is stored unless a newer one is there, and replaces one that a clock ahead has dated', async () => {
  await using database = await cloneDatabase();
  const { id: orgId } = await createOrganization(database.db, { name: 'Org' });
  const domainId = newId();
  await database.db
    .insertInto('domain')
    .values({ org_id: orgId, id: domainId, name: 'shop.example', source: 'manual' })
    .execute();
  const now = Date.now();
  const save = async (score: string, days: number) => {
    const health = { body: { score } as never, computedAt: new Date(now + days * DAY_MS) };
    await transact(database, (session) => saveHealth(session, { orgId, domainId }, health));
    return (await database.db.selectFrom('domain_health').select('body').executeTakeFirstOrThrow()).body;
  };

  expect(await save('of a week ago', -7)).toEqual({ score: 'of a week ago' });
  expect(await save('of two weeks ago', -14)).toEqual({ score: 'of a week ago' });
  expect(await save('of next month', 30)).toEqual({ score: 'of next month' });
  expect(await save('of now', 0)).toEqual({ score: 'of now' });
});

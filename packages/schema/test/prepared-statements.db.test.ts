import { newId } from '@dmarc-ledger/vocabulary';
import { cloneDatabase } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const ORG = newId();

it('a statement that is read with again and again is prepared once', async () => {
  await using database = await cloneDatabase();
  const db = database.reads.of(ORG);
  for (let time = 0; time < 20; time += 1)
    await db.selectFrom('plan').select('api').where('code', '=', `plan-${time}`).execute();

  const { rows } = await sql<{ statement: string; times: number }>`
    select statement, (generic_plans + custom_plans)::integer as times from pg_prepared_statements
    where statement like '%plan%'`.execute(db);
  expect(rows).toEqual([{ statement: 'select "api" from "plan" where "code" = $1', times: 19 }]);
});

it('all columns of a table are read after a migration has added one', async () => {
  await using database = await cloneDatabase();
  const db = database.reads.of(ORG);
  const columns = async () =>
    Object.keys(await db.selectFrom('plan').selectAll().where('code', '<>', '').executeTakeFirstOrThrow());

  const before = await columns();
  await columns();
  await columns();
  await sql`alter table plan add column since date`.execute(database.db);
  expect(await columns()).toEqual([...before, 'since']);
});

it('a connection keeps a limited number of statements prepared, and runs the others too', async () => {
  await using database = await cloneDatabase();
  const db = database.reads.of(ORG);
  for (let length = 1; length <= 300; length += 1)
    for (const _ of ['first', 'second']) {
      const numbers = sql.join(
        Array.from({ length }, () => sql`${1}::integer`),
        sql` + `,
      );
      const { rows } = await sql<{ sum: number }>`select ${numbers} as sum`.execute(db);
      expect(rows).toEqual([{ sum: length }]);
    }

  const { rows } = await sql<{ kept: number }>`select count(*) as kept from pg_prepared_statements`.execute(db);
  expect(rows).toEqual([{ kept: 200 }]);
});

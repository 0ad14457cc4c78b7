import { openDatabase } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { type ClonedDatabase, openClone } from './clone-database.ts';
import { createDatabase, filledName, urlOf } from './databases.ts';
import { givenMany } from './given-many.ts';

const NEIGHBOUR = { reports: 20_000, recordsEach: 5, domains: 40, reporters: 30, sources: 40_000 };
/** What the organization has that tests of plans read for. */
const OWN = { reports: 4_000, recordsEach: 5, domains: 20, reporters: 10, sources: 9_000 };

/** A database with many reports of two organizations, as large tables are what plans are about. */
export interface FilledDatabase extends ClonedDatabase {
  orgId: string;
  /** Fills the tables, so that reading one of them whole is never right. */
  neighbourId: string;
}

/** A copy, statistics included, of a database that is filled once for the whole run. */
export async function filledDatabase(): Promise<FilledDatabase> {
  const database = await openClone('filled', await fillOnce());
  const idOf = async (name: string) =>
    (await database.db.selectFrom('organization').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
  return Object.assign(database, { orgId: await idOf('Own'), neighbourId: await idOf('Neighbour') });
}

/** The first caller fills it; others, in other processes too, wait for that. */
async function fillOnce(): Promise<string> {
  const server = inject('postgres');
  const name = filledName(server.template);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await client.query('select from pg_database where datname = $1', [name])).rowCount === 0) {
      const draft = await createDatabase(server.url, 'draft', server.template);
      await fill(urlOf(server.socketUrl, draft.name));
      await client.query(`alter database "${draft.name}" rename to "${name}"`);
    }
  } finally {
    await client.end();
  }
  return name;
}

async function fill(url: string): Promise<void> {
  const database = openDatabase(url);
  await givenMany(database.db, 'Neighbour', NEIGHBOUR);
  await givenMany(database.db, 'Own', OWN);
  await sql`vacuum analyze`.execute(database.db); // the second time, every page is known to be visible
  await database.close();
}

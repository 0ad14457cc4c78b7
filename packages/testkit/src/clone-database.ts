import { openDatabase, type Database } from '@dmarc-ledger/db';
import { inject } from 'vitest';
import { createDatabase, dropDatabase } from './databases.ts';

/** A database of one test's own: migrated, empty, open; dropped when disposed of. */
export interface ClonedDatabase extends Database, AsyncDisposable {
  url: string;
}

export async function cloneDatabase(): Promise<ClonedDatabase> {
  const server = inject('postgres');
  const { name, url } = await createDatabase(server.url, 'clone', server.template);
  const database = openDatabase(url);
  return {
    ...database,
    url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await dropDatabase(server.url, name);
    },
  };
}

/** A database with nothing in it, for tests of migrations and of what needs no tables of ours. */
export async function emptyDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const server = inject('postgres');
  const { name, url } = await createDatabase(server.url, 'empty');
  return { url, [Symbol.asyncDispose]: () => dropDatabase(server.url, name) };
}

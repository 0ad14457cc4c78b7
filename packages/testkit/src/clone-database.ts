import { type Database, openDatabase, openReads, type Reads } from '@dmarc-ledger/schema';
import { inject } from 'vitest';
import { createDatabase, dropDatabase } from './databases.ts';

/** A database of one test's own: migrated, empty, open; dropped when disposed of. */
export interface ClonedDatabase extends Database, AsyncDisposable {
  url: string;
  /** What the API may read of it. */
  reads: Reads;
}

export async function cloneDatabase(): Promise<ClonedDatabase> {
  const server = inject('postgres');
  const { name, url } = await createDatabase(server.url, 'clone', server.template);
  const database = openDatabase(url);
  const reads = openReads(url, { onNoRole: raise });
  return {
    ...database,
    url,
    reads,
    async [Symbol.asyncDispose]() {
      await reads.close();
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

function raise(error: Error): void {
  throw error;
}

import { type Database, openDatabase, openReads, type Reads } from '@dmarc-ledger/schema';
import { inject } from 'vitest';
import { createDatabase, dropDatabase, urlOf } from './databases.ts';

/** A database of one test: migrated, empty, open; dropped when disposed. */
export interface ClonedDatabase extends Database, AsyncDisposable {
  url: string;
  /** The same by the socket, for processes of this user: connections and statements take less. */
  socketUrl: string;
  /** The tables that the API may read. */
  reads: Reads;
}

export async function cloneDatabase(): Promise<ClonedDatabase> {
  return await openClone('clone', inject('postgres').template);
}

/** The same, of another template. */
export async function openClone(purpose: string, template: string): Promise<ClonedDatabase> {
  const server = inject('postgres');
  const { name, url } = await createDatabase(server.url, purpose, template);
  const socketUrl = urlOf(server.socketUrl, name);
  const database = openDatabase(socketUrl);
  const reads = openReads(socketUrl, { onNoRole: raise });
  return {
    ...database,
    url,
    socketUrl,
    reads,
    async [Symbol.asyncDispose]() {
      await reads.close();
      await database.close();
      await dropDatabase(server.url, name);
    },
  };
}

/** An empty database, for tests of migrations and of code without tables. */
export async function emptyDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const server = inject('postgres');
  const { name, url } = await createDatabase(server.url, 'empty');
  return { url, [Symbol.asyncDispose]: () => dropDatabase(server.url, name) };
}

function raise(error: Error): void {
  throw error;
}

import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { migrate } from '@dmarc-ledger/schema';
import { startLocalPostgres } from '@dmarc-ledger/local-postgres';
import { migrateQueues } from '@dmarc-ledger/queues';
import type { TestProject } from 'vitest/node';
import { createDatabase, dropDatabase, filledName } from './databases.ts';
import { findPrograms } from './find-programs.ts';
import type { FoundProgram } from './debian-package.ts';
import { buildPages } from './build-pages.ts';

/** For a temporary server that all tests share: nothing is written twice, nothing waits for the disk. */
const THROWAWAY = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '500' };

const PREFIX = 'dmarc-ledger-test-';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * A PostgreSQL server of this run, with a migrated database to clone others from. By the socket of a local one, a
     * statement takes a third less than by TCP.
     */
    postgres: { url: string; socketUrl: string; template: string };
    /** The redis-server of this machine, or why there is none. */
    redis: FoundProgram;
    /** The same for Dovecot. */
    dovecot: FoundProgram;
    /** The same for Knot DNS. */
    dns: FoundProgram;
    /** The same for Unbound. */
    resolver: FoundProgram;
    /** The same for MariaDB. */
    mariadb: FoundProgram;
    /** The same for Chromium. */
    browser: FoundProgram;
  }
}

/**
 * Once in a test run: starts one PostgreSQL with a template database, which has the tables of the queues too, and finds
 * or installs the servers that tests need.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [server, programs] = await Promise.all([openServer(), findPrograms(), buildPages()]);
  const template = await createDatabase(server.url, 'template');
  await migrate(template.url);
  await migrateQueues(template.url);
  project.provide('postgres', { url: server.url, socketUrl: server.socketUrl, template: template.name });
  for (const [name, program] of Object.entries(programs)) project.provide(name as keyof typeof programs, program);
  return async () => {
    for (const name of [template.name, filledName(template.name)]) await dropDatabase(server.url, name);
    await server.stop();
  };
}

/**
 * The server that DATABASE_URL names (its databases are created for the run and dropped again), else an embedded one.
 */
async function openServer(): Promise<{ url: string; socketUrl: string; stop(): Promise<void> }> {
  const url = process.env['DATABASE_URL'];
  if (url) return { url, socketUrl: url, stop: async () => {} };
  await sweep();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(folder, 0o1777); // the server may run as another user, and makes its socket here
  const settings = { ...THROWAWAY, unix_socket_directories: folder, ...accessBySocket(folder) };
  const server = await startLocalPostgres({ dataDir: join(folder, 'pg'), settings });
  const socketUrl = new URL(server.url);
  socketUrl.searchParams.set('host', folder);
  return {
    url: server.url,
    socketUrl: socketUrl.href,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A client by the socket is recognised by the user of its process, and may take every role: to prove a password takes
 * more than half of the processor time of a connection. A client by TCP needs the password.
 */
function accessBySocket(folder: string): { hba_file: string; ident_file: string } {
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    return path;
  };
  return {
    hba_file: write('hba.conf', 'local all all peer map=tests\nhost all all 127.0.0.1/32 scram-sha-256\n'),
    ident_file: write('ident.conf', `tests "${userInfo().username}" all\n`),
  };
}

/** Ends the servers of killed runs; one that a living run uses stays. */
async function sweep(): Promise<void> {
  for (const pidFile of globSync(join(tmpdir(), `${PREFIX}*`, 'pg', 'cluster', 'postmaster.pid'))) {
    const dataDir = dirname(dirname(pidFile));
    const left = await startLocalPostgres({ dataDir, settings: THROWAWAY }).catch((error: unknown) => {
      if (existsSync(pidFile)) throw error;
      return undefined; // its run ended meanwhile, and removed it
    });
    await left?.stop();
  }
}

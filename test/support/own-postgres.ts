import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, openDatabase } from '@dmarc-ledger/schema';
import { startLocalPostgres } from '@dmarc-ledger/local-postgres';
import type { ClonedDatabase } from '@dmarc-ledger/testkit';
import { temporaryFolder } from './folder.ts';

/** A PostgreSQL of one test's own, at the same address whenever it runs. */
export interface OwnPostgres extends Omit<ClonedDatabase, 'reads' | 'socketUrl'> {
  /** Ends all sessions. */
  endSessions(): Promise<void>;
  /** Ends it on the spot, as `pg_ctl stop -m immediate` does, and starts it again after a while. */
  crash(awayMs: number): Promise<void>;
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'postgres');
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  let server = await startLocalPostgres({ dataDir });
  const line = createServer((client) => {
    const inner = connect(Number(new URL(server.url).port), '127.0.0.1');
    for (const [from, to] of [
      [client, inner],
      [inner, client],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const url = Object.assign(new URL(server.url), { port: (line.address() as AddressInfo).port }).href;
  await migrate(url);
  const database = openDatabase(url);
  return {
    ...database,
    url,
    async endSessions() {
      const all = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()';
      await database.pool.query(all);
    },
    async crash(awayMs) {
      process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
      while (existsSync(pidFile)) await sleep(20);
      await server.stop(); // a use that is not ended keeps the next server running
      await sleep(awayMs);
      server = await startLocalPostgres({ dataDir });
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      line.close();
      await server.stop();
      folder[Symbol.dispose]();
    },
  };
}

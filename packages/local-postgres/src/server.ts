import { closeSync, openSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '@dmarc-ledger/vocabulary';
import type { Account } from './account.ts';
import { runProgram } from './command.ts';
import { LocalPostgresError } from './errors.ts';
import { freePort } from './free-port.ts';
import { findPostmaster, type Postmaster } from './postmaster.ts';
import { isAlive } from './process-identity.ts';

const POLL_MS = 20;
const TRIES = 5;
const BETWEEN_TRIES_MS = 1_000;
const LAST_LINES = 12;

/** The settings of every embedded server; a caller may add to them or change them. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  jit: 'off',
  max_wal_size: '2GB',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

export type Settings = Record<string, string>;

/**
 * The server of this cluster, adopted when one runs, else started, by default on a free port. Callers hold the folder's
 * lock.
 */
export async function ensureServer(
  account: Account,
  log: string,
  settings: Settings,
  port?: number,
): Promise<Postmaster> {
  for (let tries = 1; ; tries += 1) {
    const adopted = await settled(account.cluster);
    if (adopted) return adopted;
    const started = await startServer(account, log, settings, port ?? (await freePort()));
    if (started) return started;
    if (tries === TRIES) {
      throw new LocalPostgresError(
        'start_failed',
        `The embedded PostgreSQL did not start. The end of its log:\n${lastLines(log)}`,
      );
    }
    await sleep(BETWEEN_TRIES_MS); // a port taken in between, or a crashed server whose last processes are still ending
  }
}

/** Waits for a server that starts or stops; a large recovery may take its time. */
async function settled(cluster: string): Promise<Postmaster | undefined> {
  for (;;) {
    const found = findPostmaster(cluster);
    if (!found || found.state === 'ready') return found;
    await sleep(POLL_MS);
  }
}

async function startServer(
  account: Account,
  log: string,
  settings: Settings,
  port: number,
): Promise<Postmaster | undefined> {
  const all = Object.entries({ ...SETTINGS, ...settings, port: String(port) });
  const output = openSync(log, 'w', 0o600);
  const args = ['-D', account.cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = runProgram(account, 'postgres', args, ['ignore', output, output]);
  closeSync(output);
  child.unref();
  if (!child.pid) await once(child, 'spawn'); // rejects with the reason
  while (isAlive(present(child.pid))) {
    const found = findPostmaster(account.cluster);
    if (found?.pid === child.pid && found?.state === 'ready') return found;
    await sleep(POLL_MS);
  }
  return undefined;
}

function lastLines(log: string): string {
  return readFileSync(log, 'utf8').trim().split('\n').slice(-LAST_LINES).join('\n');
}

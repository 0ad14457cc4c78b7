import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@dmarc-ledger/local-postgres';
import { createConnection } from 'mysql2/promise';
import { inject } from 'vitest';
import { endWithProcess } from './end-with-process.ts';

const POLL_MS = 50;

/** A MariaDB of one test, in a temporary folder. */
export interface MariadbServer {
  /** Creates a database with these statements, in place of one of that name, and returns its URL; any user may read. */
  createDatabase: (name: string, statements: Iterable<string>) => Promise<string>;
  stop(): Promise<void>;
}

export async function mariadbServer(): Promise<MariadbServer> {
  const { program, missing } = inject('mariadb');
  if (!program) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-mariadb-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  mkdirSync(data); // it needs no system tables, as there are no users, plugins or procedures
  const port = await freePort();
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    '--skip-grant-tables',
    '--skip-networking=0',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-buffer-pool-size=32M',
    '--max-allowed-packet=64M',
    ...user,
  ];
  const child = spawn(program, args, { stdio: 'ignore' });
  endWithProcess(child);
  while (!hasEnded(child) && !(await listens(port))) await sleep(POLL_MS);
  if (hasEnded(child)) throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}`);
  return {
    createDatabase: (name, statements) => createDatabase(port, name, statements),
    async stop() {
      if (!hasEnded(child)) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createDatabase(port: number, name: string, statements: Iterable<string>): Promise<string> {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'writer', multipleStatements: true });
  try {
    await connection.query(
      `drop database if exists ${name}; create database ${name}; use ${name}; set time_zone = '+00:00'`,
    );
    for (const statement of statements) await connection.query(statement);
  } finally {
    await connection.end();
  }
  return `mysql://reader@127.0.0.1:${port}/${name}`;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data'); // its greeting
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

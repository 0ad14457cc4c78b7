import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@dmarc-ledger/schema';
import { startLocalPostgres } from '@dmarc-ledger/local-postgres';
import pg from 'pg';
import { parentOf } from './cpu.ts';

/** The same on every machine; what makes a transaction durable stays on. */
const SETTINGS = { shared_buffers: '512MB', max_wal_size: '4GB', jit: 'off', fsync: 'on', synchronous_commit: 'on' };

/** A PostgreSQL of this run's own, and a folder for everything else. */
export interface Lab {
  folder: string;
  /** The server's first process. */
  serverPid: number;
  /** A new database, with the product's tables or with none; returns its address. */
  createDatabase(withTables: boolean): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  /** Writes out what earlier work has left to write. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

export async function openLab(settings: Record<string, string> = {}): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'dmarc-ledger-bench-'));
  chmodSync(folder, 0o755); // under root the server runs as another user
  const server = await openServer(join(folder, 'postgres'), { ...SETTINGS, ...settings });
  const admin = new pg.Client(server.url);
  await admin.connect();
  const { rows } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid');
  const lab: Lab = {
    folder,
    serverPid: parentOf(rows[0]!.pid),
    async createDatabase(withTables) {
      const name = `bench_${randomUUID().replaceAll('-', '')}`;
      await admin.query(`create database "${name}"${withTables ? ' template bench_template' : ''}`);
      return addressOf(server.url, name);
    },
    dropDatabase: async (url) => void (await admin.query(`drop database "${new URL(url).pathname.slice(1)}"`)),
    checkpoint: async () => void (await admin.query('checkpoint')),
    async close() {
      await admin.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await admin.query('drop database if exists bench_template');
  await admin.query('create database bench_template');
  await migrate(addressOf(server.url, 'bench_template'));
  return lab;
}

/** The server of this machine that BENCH_DATABASE_URL names, with the settings that it has, else an embedded one. */
async function openServer(dataDir: string, settings: Record<string, string>) {
  const url = process.env['BENCH_DATABASE_URL'];
  if (url) return { url, stop: () => Promise.resolve() };
  return await startLocalPostgres({ dataDir, settings });
}

function addressOf(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: name }).href;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { startLocalPostgres, type LocalPostgres } from '@dmarc-ledger/local-postgres';
import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isAlive } from '../src/process-identity.ts';

const settings = { fsync: 'off' };
const children: ChildProcess[] = [];
let dataDir: string;

beforeEach(() => {
  const place = mkdtempSync(join(tmpdir(), 'local pg '));
  chmodSync(place, 0o755);
  dataDir = join(place, 'data', 'pg');
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await (await startLocalPostgres({ dataDir, settings })).stop(); // a killed test process left it running
  rmSync(join(dataDir, '..', '..'), { recursive: true });
});

it('creates a database, and finds what was written when started again', async () => {
  const first = await startLocalPostgres({ dataDir, settings });
  await query(first, 'create table kept as select 42 as answer');
  await first.stop();
  expect(serverPid()).toBeUndefined();

  const second = await startLocalPostgres({ dataDir, settings });
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await second.stop();
});

it('starts a server again that has ended by itself, at the same address, until it is stopped', async () => {
  const server = await startLocalPostgres({ dataDir, settings, isKeptRunning: true });
  await query(server, 'create table kept as select 42 as answer');
  const ended = serverPid();
  process.kill(ended!, 'SIGKILL');
  await vi.waitFor(async () => expect(await query(server, 'select answer from kept')).toEqual([{ answer: 42 }]), {
    timeout: 60_000,
    interval: 200,
  });
  expect(serverPid()).not.toBe(ended);
  await server.stop();
  expect(serverPid()).toBeUndefined();
});

it('listens on loopback alone, asks for the password, and keeps it from other users', async () => {
  const server = await startLocalPostgres({ dataDir, settings });
  const [shown] = await query(
    server,
    `select current_setting('listen_addresses') as address, current_setting('jit') as jit,
    current_setting('unix_socket_directories') as socket, current_setting('server_encoding') as encoding`,
  );
  expect(shown).toEqual({ address: '127.0.0.1', jit: 'off', socket: '', encoding: 'UTF8' });
  const stranger = { ...server, url: server.url.replace(/:[0-9a-f]+@/, ':guess@') };
  await expect(query(stranger, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect(statSync(join(dataDir, 'connection.json')).mode & 0o777).toBe(0o600);
  await server.stop();
});

it('takes a relative folder for the same as the absolute one', async () => {
  const server = await startLocalPostgres({ dataDir: relative(process.cwd(), dataDir), settings });
  const same = await startLocalPostgres({ dataDir, settings });
  expect(same.url).toBe(server.url);
  await Promise.all([server.stop(), same.stop()]);
  expect(serverPid()).toBeUndefined();
});

it('adopts the server of a process that was killed, and stops it when done', async () => {
  const child = await hold();
  const pid = serverPid();
  await kill(child.process);
  const adopted = await startLocalPostgres({ dataDir, settings });
  expect(adopted.url).toBe(child.url);
  expect(serverPid()).toBe(pid);
  await adopted.stop();
  expect(serverPid()).toBeUndefined();
});

it('gives two processes that start at the same moment one server', async () => {
  const [one, two] = await Promise.all([hold(), hold()]);
  expect(one.url).toBe(two.url);
  await query(one, 'select 1');
});

it('is stopped by the last one out, and by no one before', async () => {
  const here = await startLocalPostgres({ dataDir, settings });
  const there = await hold();
  await here.stop();
  expect(await query(there, 'select 1 as one')).toEqual([{ one: 1 }]);
  there.process.kill('SIGTERM');
  await once(there.process, 'exit');
  expect(serverPid()).toBeUndefined();
});

it('starts after a crash of the server itself, with what was committed', async () => {
  const server = await startLocalPostgres({ dataDir });
  await query(server, 'create table kept as select 42 as answer');
  const pid = serverPid()!;
  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000 });
  const again = await startLocalPostgres({ dataDir });
  expect(await query(again, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await Promise.all([server.stop(), again.stop()]);
});

it('is not misled by a pid file whose number now belongs to another process', async () => {
  const server = await startLocalPostgres({ dataDir, settings });
  const pidFile = readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8');
  await server.stop();
  writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), pidFile.replace(/^\d+/, String(process.pid)));
  writeFileSync(join(dataDir, 'lock'), `${process.pid}\nanother-boot:1\n`);
  const again = await startLocalPostgres({ dataDir, settings });
  expect(await query(again, 'select 1 as one')).toEqual([{ one: 1 }]);
  await again.stop();
});

it.runIf(process.getuid?.() === 0)('works for root in a folder that no other user may enter', async () => {
  mkdirSync(join(dataDir, '..'), { recursive: true, mode: 0o700 });
  const server = await startLocalPostgres({ dataDir, settings });
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
  const again = await startLocalPostgres({ dataDir, settings });
  await again.stop();
});

it('says in a sentence that a folder of another version cannot be used', async () => {
  await (await startLocalPostgres({ dataDir, settings })).stop();
  const version = join(dataDir, 'cluster', 'PG_VERSION');
  writeFileSync(version, '15\n');
  await expect(startLocalPostgres({ dataDir })).rejects.toThrow(/written by PostgreSQL 15 .* choose another DATA_DIR/);
  writeFileSync(version, '18\n');
});

it('creates no empty database in place of one that is missing, and says where it looked', async () => {
  const server = await startLocalPostgres({ dataDir, settings });
  await query(server, 'create table kept as select 42 as answer');
  await server.stop();
  const cluster = join(dataDir, 'cluster');
  renameSync(cluster, `${cluster} elsewhere`);
  await expect(startLocalPostgres({ dataDir, settings })).rejects.toMatchObject({
    code: 'data_dir_unavailable',
    message: expect.stringContaining(`${join(dataDir, 'connection.json')} names the database ${cluster}`),
  });
  expect(existsSync(cluster)).toBe(false);
  renameSync(`${cluster} elsewhere`, cluster);
  const again = await startLocalPostgres({ dataDir, settings });
  expect(await query(again, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await again.stop();
});

it('starts after a kill between the last two steps of the creation, and after one before them', async () => {
  await (await startLocalPostgres({ dataDir, settings })).stop();
  const connection = join(dataDir, 'connection.json');
  const written = readFileSync(connection, 'utf8');
  for (const isClusterThere of [true, false]) {
    renameSync(connection, `${connection}.new`);
    if (!isClusterThere) rmSync(join(dataDir, 'cluster'), { recursive: true });
    const server = await startLocalPostgres({ dataDir, settings });
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(readFileSync(connection, 'utf8') === written).toBe(isClusterThere);
    expect(existsSync(`${connection}.new`)).toBe(false);
  }
});

async function hold(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-server.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { process: child, url };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function query({ url }: Pick<LocalPostgres, 'url'>, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function serverPid(): number | undefined {
  const file = join(dataDir, 'cluster', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

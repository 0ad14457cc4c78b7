import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@dmarc-ledger/local-postgres';
import { findProgram } from '@dmarc-ledger/testkit';
import { temporaryFolder } from './folder.ts';

/** A PostgreSQL of the system, of the version of its `pg_dump` and with a superuser, as an operator has it. */
export interface DebianPostgres extends AsyncDisposable {
  /** What the client programs need to work as the superuser. */
  superuser: { PGHOST: string; PGPORT: string; PGUSER: string };
  /** A role without rights, and what connects to a database as it. */
  role: string;
  urlOf(database: string): string;
}

const ROLE = 'dmarc_ledger';

/** Starts one in a folder of its own; on Debian, root's test run installs it. */
export async function debianPostgres(): Promise<DebianPostgres> {
  const programs = await serverPrograms();
  const folder = temporaryFolder();
  const data = join(folder.path, 'cluster');
  mkdirSync(data, { mode: 0o700 });
  const owner = ownerOfServer();
  if (owner) chownSync(data, owner.uid, owner.gid);
  const options = { ...owner, cwd: '/', encoding: 'utf8' as const };
  const made = spawnSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = ['-p', String(port), '-h', '127.0.0.1', '-k', '', '-F'];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], { ...owner, cwd: '/', stdio: 'ignore' });
  const ended = once(server, 'exit');
  const superuser = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' };
  const env = { ...process.env, ...superuser };
  for (let tries = 0; ; tries += 1) {
    const made = spawnSync('psql', ['-c', `create role ${ROLE} login`, 'postgres'], { env, encoding: 'utf8' });
    if (made.status === 0) break;
    if (tries === 100 || server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${made.stderr}`);
    await sleep(100);
  }
  return {
    superuser,
    role: ROLE,
    urlOf: (database) => `postgres://${ROLE}@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await ended;
      folder[Symbol.dispose]();
    },
  };
}

async function serverPrograms(): Promise<string> {
  const find = () => globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);
  const here = find();
  if (here) return here;
  const { missing } = await findProgram(['postgres'], 'postgresql');
  const installed = find();
  if (!installed) throw new Error(missing ?? 'The package postgresql has no server.');
  return installed;
}

/** PostgreSQL does not run as root: then it does as the user of its package. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is no user postgres.');
  return { uid: Number(uid), gid: Number(gid) };
}

import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { LocalPostgresError } from './errors.ts';

const UNSHARE = ['unshare', '-U', '--map-user=65534', '--map-group=65534'];
const SHARED_ROOT = '/var/lib/dmarc-ledger';

/** The account and the programs of the server, and the folder that the cluster needs for them. */
export interface Account {
  native: string;
  cluster: string;
  /** Prefix of every command. */
  prefix: string[];
  /** The account to change to; undefined to keep the current one. */
  owner?: { uid: number; gid: number };
}

/**
 * PostgreSQL refuses to run as root. Then `nobody` runs it, when `nobody` can access both the programs and the data;
 * else a user namespace in which root has another number; else programs and data are put where `nobody` can access
 * them.
 */
export function chooseAccount(native: string, cluster: string): Account {
  if (process.getuid?.() !== 0) return { native, cluster, prefix: [] };
  const existing = ownerOf(cluster);
  if (existing && existing.uid !== 0) return { native: reachableNative(native), cluster, prefix: [], owner: existing };
  const nobody = readNobody();
  if (!existing && isReachable(native) && isReachable(dirname(cluster)))
    return { native, cluster, prefix: [], owner: nobody };
  if (canUnshare(native)) return { native, cluster, prefix: UNSHARE };
  if (existing) {
    throw new LocalPostgresError(
      'data_dir_unavailable',
      `${cluster} belongs to root, and PostgreSQL does not run as root here: give the folder to another user, or ` +
        `start as the user who created it.`,
    );
  }
  const place = join(SHARED_ROOT, createHash('sha256').update(cluster).digest('hex').slice(0, 16));
  return { native: reachableNative(native), cluster: join(place, 'cluster'), prefix: [], owner: nobody };
}

/** Gives a file or folder to the account of the server. */
export function giveTo({ owner }: Account, path: string): void {
  if (owner) chownSync(path, owner.uid, owner.gid);
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  if (!existsSync(path)) return undefined;
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/** True when everybody may enter the folder and its parents. */
function isReachable(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** The programs where everybody can run them: a copy is made once when the checkout is closed to others. */
function reachableNative(native: string): string {
  if (isReachable(native)) return native;
  const copy = join(SHARED_ROOT, createHash('sha256').update(native).digest('hex').slice(0, 16), 'native');
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true, mode: 0o755 });
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch {
    rmSync(draft, { recursive: true, force: true }); // another process was first
  }
  return copy;
}

function canUnshare(native: string): boolean {
  const [command, ...args] = [...UNSHARE, join(native, 'bin', 'postgres'), '--version'];
  return process.platform === 'linux' && spawnSync(command, args, { stdio: 'ignore', cwd: '/' }).status === 0;
}

function readNobody(): { uid: number; gid: number } {
  const line = existsSync('/etc/passwd') && /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: 65_534, gid: 65_534 };
}

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPidFile, takePidFile, type PidFile } from './pid-file.ts';
import { isSameProcessAlive } from './process-identity.ts';

/** Registers this process as a user of the server; a process may do so several times. */
export function registerUser(dataDir: string): PidFile {
  const folder = join(dataDir, 'users');
  mkdirSync(folder, { recursive: true });
  const user = takePidFile(join(folder, `${process.pid}-${randomUUID()}`));
  if ('release' in user) return user;
  throw new Error('a random name was taken twice');
}

/** True while any living process uses the server. Files left by dead ones are removed on the way. */
export function hasUsers(dataDir: string): boolean {
  const paths = readdirSync(join(dataDir, 'users')).map((name) => join(dataDir, 'users', name));
  return paths.filter(isUsedByLiving).length > 0;
}

function isUsedByLiving(path: string): boolean {
  const user = readPidFile(path);
  const isLiving = user !== undefined && isSameProcessAlive(user);
  if (!isLiving) rmSync(path, { force: true });
  return isLiving;
}

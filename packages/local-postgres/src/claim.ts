import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LocalPostgresError } from './errors.ts';
import { takePidFile, type PidFile } from './pid-file.ts';

/**
 * Claims a data folder for the one process that may have this role on it (such as `start`). The claim ends with
 * `release`, or with the process however it ends.
 */
export function claimDataDir(dataDir: string, role: string): PidFile {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true });
  const taken = takePidFile(join(folder, `${role}.pid`));
  if ('release' in taken) return taken;
  throw new LocalPostgresError(
    'data_dir_claimed',
    `Process ${taken.pid} already runs "${role}" on ${folder}; stop it first, or give this one another folder with ` +
      `DATA_DIR.`,
  );
}

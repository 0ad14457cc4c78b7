import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalPostgresError } from './errors.ts';
import { takePidFile } from './pid-file.ts';

const POLL_MS = 50;
const PATIENCE_MS = 120_000;

/** Runs `body` while no other process starts or stops the server of this data folder. */
export async function withLock<T>(dataDir: string, body: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(dataDir);
  try {
    return await body();
  } finally {
    lock.release();
  }
}

async function waitForLock(dataDir: string) {
  for (let waited = 0; ; waited += POLL_MS) {
    const taken = takePidFile(join(dataDir, 'lock'));
    if ('release' in taken) return taken;
    if (waited >= PATIENCE_MS) {
      throw new LocalPostgresError(
        'data_dir_busy',
        `Process ${taken.pid} has been starting or stopping the database in ${dataDir} for two minutes; end it and ` +
          `try again.`,
      );
    }
    await sleep(POLL_MS);
  }
}

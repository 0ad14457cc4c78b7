import { withLock } from './lock.ts';
import { findPostmaster } from './postmaster.ts';

const ASKED_EVERY_MS = 1_000;

/** A supervised server. */
export interface KeptServer {
  cluster: string;
  /** The data folder, whose lock is held while the server is started. */
  root: string;
  /** Starts it again, at its former address. */
  start: () => Promise<unknown>;
}

/**
 * Starts the server again whenever it has ended by itself: PostgreSQL ends when its disk is full, and cannot start
 * before there is space again. A failed start is tried again a second later. Returns how to stop that.
 */
export function keepRunning({ cluster, root, start }: KeptServer): () => Promise<void> {
  let ending = false;
  let starting: Promise<unknown> = Promise.resolve();
  const look = () => {
    timer = setTimeout(() => void (starting = again()), ASKED_EVERY_MS).unref();
  };
  const again = async () => {
    try {
      if (!findPostmaster(cluster))
        await withLock(root, async () => ending || findPostmaster(cluster) || (await start()));
    } catch {
      // usually the disk is still full: the reason is in the server's log
    }
    if (!ending) look();
  };
  let timer: NodeJS.Timeout;
  look();
  return async () => {
    ending = true;
    clearTimeout(timer);
    await starting;
  };
}

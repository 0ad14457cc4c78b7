import type pg from 'pg';

const RETRY_MS = 5_000;

/** A running listener. */
export interface Listener {
  stop(): Promise<void>;
}

/**
 * Calls `changed` on every notification of a channel, and whenever some may have been missed (the connection was lost).
 * Uses one connection of the pool until it is stopped. The channel must be a constant, never input.
 */
export function onNotification(pool: pg.Pool, channel: string, changed: () => void): Listener {
  let stopped = false;
  let client: pg.PoolClient | undefined;
  let retry: NodeJS.Timeout | undefined;

  function lost(): void {
    const broken = client;
    client = undefined;
    broken?.removeAllListeners('notification');
    broken?.release(true);
    changed();
    if (stopped || retry) return; // the query in progress reports the lost connection too
    retry = setTimeout(() => {
      retry = undefined;
      void listen();
    }, RETRY_MS).unref();
  }

  async function listen(): Promise<void> {
    try {
      const connected = await pool.connect();
      if (stopped) return connected.release(true);
      client = connected;
      connected.on('notification', changed);
      connected.on('error', () => client === connected && lost());
      connected.once('end', () => client === connected && lost());
      await connected.query(`listen ${channel}`);
      changed(); // earlier changes were missed
    } catch {
      lost();
    }
  }

  const listening = listen();
  return {
    async stop() {
      stopped = true;
      clearTimeout(retry);
      await listening;
      const last = client;
      client = undefined;
      last?.release(true);
    },
  };
}

import pg from 'pg';

/** The server ends a slow statement; the client waits this much longer for it to do so. */
const GRACE_MS = 5_000;

/** For both sides: a peer that disappears silently is noticed within a minute, and its locks are released. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
export const SERVER_KEEP_ALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

/** Errors behind which the server closes the connection: it was ended, or was idle in a transaction for too long. */
const CLOSING = /^(?:57P0[1-5]|25P0[34])$/;

/**
 * A connection that is closed when the server does not report a statement timeout: its machine or the network is gone.
 * TCP alone would let callers wait for a quarter of an hour.
 */
export class Connection extends pg.Client {
  readonly #patienceMs: number;
  #isUnlimited = false;
  #isLost = false;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    const limit = Number(config.statement_timeout);
    this.#patienceMs = limit > 0 ? limit + GRACE_MS : 0;
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (CLOSING.test(code ?? '')) this.#isLost = true;
    });
  }

  /** Whether the server has said that it closes the connection, which it does a moment later. */
  static isLost(client: pg.ClientBase): boolean {
    return client instanceof Connection && client.#isLost;
  }

  /** Sets whether statements may take any time. */
  static setUnlimited(client: pg.ClientBase, isUnlimited: boolean): void {
    if (client instanceof Connection) client.#isUnlimited = isUnlimited;
  }

  /** Closes a connection even while a statement runs; the server rolls its transaction back. */
  static cut(client: pg.ClientBase): void {
    if (client instanceof Connection) client.connection.stream.destroy();
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's own takes and returns many shapes
  override query(...question: [any, any?, any?]): any {
    const asked: unknown = super.query(...question);
    if (this.#patienceMs === 0 || this.#isUnlimited || !(asked instanceof Promise)) return asked;
    const timer = setTimeout(() => this.connection.stream.destroy(), this.#patienceMs);
    return asked.finally(() => clearTimeout(timer));
  }
}

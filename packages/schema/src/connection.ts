import pg from 'pg';

/** The server is to be the one that ends a statement; it is given so much longer to say so. */
const GRACE_MS = 5_000;

/** Of both sides: a peer that is gone without a word is noticed in a minute, and with it all that it held is free. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 };
export const SERVER_KEEP_ALIVE = '-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

/**
 * A connection that is given up when the server does not even say that a statement took too long: its machine is gone, or
 * the line to it. TCP alone would have whoever waits wait for a quarter of an hour.
 */
export class Connection extends pg.Client {
  readonly #patienceMs: number;
  #isUnlimited = false;

  constructor(config: pg.ClientConfig = {}) {
    super(config);
    const limit = Number(config.statement_timeout);
    this.#patienceMs = limit > 0 ? limit + GRACE_MS : 0;
  }

  /** Whether statements may take any time. */
  static setUnlimited(client: pg.ClientBase, isUnlimited: boolean): void {
    if (client instanceof Connection) client.#isUnlimited = isUnlimited;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- pg's own takes and returns many shapes
  override query(...question: [any, any?, any?]): any {
    const asked: unknown = super.query(...question);
    if (this.#patienceMs === 0 || this.#isUnlimited || !(asked instanceof Promise)) return asked;
    const timer = setTimeout(() => this.connection.stream.destroy(), this.#patienceMs);
    return asked.finally(() => clearTimeout(timer));
  }
}

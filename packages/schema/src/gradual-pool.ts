import { callbackify } from 'node:util';
import pg from 'pg';
import { Connection } from './connection.ts';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (fault?: Error) => void) => void;

/** How long a caller waits while another's connection opens; then it opens its own, as in pg's pool. */
const PATIENCE_MS = 1_000;
/** How long a caller waits for one that is in use: about as long as another takes to open. */
const SHORT_MS = 10;

/**
 * A pool that opens one connection at a time, and no further one for what ends soon. Callers take what is released
 * meanwhile: most statements end sooner than a connection opens, so that a few connections serve the start of a
 * process, where pg's own pool opens one for each caller and keeps them. One that the server is closing is not
 * given out again.
 */
export class GradualPool extends pg.Pool {
  /** Callers that wait; only while a connection is opened. */
  readonly #waiting = new Set<() => void>();
  #isOpening = false;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('release', (_, client) => {
      if (Connection.isLost(client)) void client.end(); // which removes it from the pool
      const [first] = this.#waiting;
      first?.();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())((error, client) => callback(error, client, (fault) => client.release(fault)));
  }

  async #connect(): Promise<pg.PoolClient> {
    const begun = performance.now();
    while (this.#mayOpen()) {
      const left = begun + this.#patience() - performance.now();
      if (left <= 0) return this.#isOpening ? await super.connect() : await this.#open();
      await this.#change(left);
    }
    return await super.connect();
  }

  #patience(): number {
    if (this.#isOpening) return PATIENCE_MS;
    return this.totalCount > 0 ? SHORT_MS : 0;
  }

  /** Resolves when a connection is released, or the attempt to open one has ended; at the latest after `ms`. */
  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const proceed = () => {
        clearTimeout(timer);
        this.#waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, ms);
      this.#waiting.add(proceed);
    });
  }

  /** True if pg's pool would open a connection: each idle one has its caller, and the limit is not reached. */
  #mayOpen(): boolean {
    return this.idleCount <= this.waitingCount && this.totalCount < this.options.max;
  }

  async #open(): Promise<pg.PoolClient> {
    this.#isOpening = true;
    try {
      return await super.connect();
    } finally {
      this.#isOpening = false;
      for (const proceed of this.#waiting) proceed();
    }
  }
}

import { callbackify } from 'node:util';
import pg from 'pg';

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (fault?: Error) => void) => void;

interface Waiting {
  lookAgain: () => void;
  fail: (error: unknown) => void;
}

/**
 * A pool that opens one connection at a time. Callers that come meanwhile take what is released, or open the next: most
 * statements end sooner than a connection opens, so that a few connections serve the start of a process, where pg's own
 * pool opens one for each caller and keeps them. When the attempt fails, it fails for all who wait for it.
 */
export class GradualPool extends pg.Pool {
  /** Callers that wait; only while a connection is opened. */
  readonly #waiting: Waiting[] = [];
  #isOpening = false;

  constructor(options: pg.PoolConfig) {
    super(options);
    this.on('release', () => this.#waiting.shift()?.lookAgain());
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | void {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())((error, client) => callback(error, client, (fault) => client.release(fault)));
  }

  async #connect(): Promise<pg.PoolClient> {
    while (this.#isOpening && this.#mayOpen())
      await new Promise<void>((lookAgain, fail) => this.#waiting.push({ lookAgain, fail }));
    return this.#mayOpen() ? await this.#open() : await super.connect();
  }

  /** True if pg's pool would open a connection: each idle one has its caller, and the limit is not reached. */
  #mayOpen(): boolean {
    return this.idleCount <= this.waitingCount && this.totalCount < this.options.max;
  }

  async #open(): Promise<pg.PoolClient> {
    this.#isOpening = true;
    try {
      const client = await super.connect();
      this.#isOpening = false;
      for (const { lookAgain } of this.#waiting.splice(0)) lookAgain();
      return client;
    } catch (error) {
      this.#isOpening = false;
      for (const { fail } of this.#waiting.splice(0)) fail(error);
      throw error;
    }
  }
}

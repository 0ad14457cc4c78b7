import { setImmediate as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';

const TICK_MS = 10;
const COMMAND_MS = 5_000;
const SLOWEST_RECONNECT_MS = 1_000;

interface Asked {
  giveUp: () => void;
}

/**
 * A connection to Redis that answers within a moment or not at all. It gives up on what it asked when nothing has come
 * back for a while, and asks nothing more until Redis answers again. `onDown` and `onUp` are
 * told when decisions cannot be had from it any more, and when they can again.
 */
export class Line {
  readonly redis: Redis;
  readonly #patienceTicks: number;
  readonly #onUp: () => void;
  readonly #onDown: () => void;
  readonly #asked = new Set<Asked>();
  #ticking: NodeJS.Timeout | undefined;
  #silentTicks = 0;
  #isUp = false;
  /** It is there, and answered with an error last: it is full, read-only or loading. */
  #isRefusing = false;
  #isClosed = false;

  constructor(url: string, patienceMs: number, told: { onUp: () => void; onDown: () => void }) {
    this.#patienceTicks = Math.max(1, Math.round(patienceMs / TICK_MS));
    this.#onUp = told.onUp;
    this.#onDown = told.onDown;
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false, // a script that ran before the connection was lost must not run again
      commandTimeout: COMMAND_MS,
      connectTimeout: COMMAND_MS,
      retryStrategy: (times) => Math.min(times * 50, SLOWEST_RECONNECT_MS),
    });
    this.redis.on('error', () => {}); // a loss is told by its close
    this.redis.on('ready', () => this.#up());
    this.redis.on('close', () => this.#down());
  }

  /** Redis answers. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** It answers what it is asked. */
  get isServing(): boolean {
    return this.#isUp && !this.#isRefusing;
  }

  /** The first time that it is up, or that it could not connect. */
  async settled(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      this.redis.once('ready', resolve);
      this.redis.once('close', resolve);
    });
  }

  /** The reply; undefined when there is none in time. One that comes after all is handed to `late`. */
  async ask<Reply>(send: () => Promise<Reply>, late: (reply: Reply) => void): Promise<Reply | undefined> {
    if (!this.#isUp) return undefined;
    return await new Promise<Reply | undefined>((resolve) => {
      let isOver = false;
      const asked = {
        giveUp: () => {
          isOver = true;
          resolve(undefined);
        },
      };
      const answered = (reply?: Reply) => {
        this.#silentTicks = 0;
        this.#asked.delete(asked);
        this.#noteRefusal(reply === undefined);
        if (!isOver) resolve(reply);
        else if (reply !== undefined) late(reply);
      };
      this.#asked.add(asked);
      this.#ticking ??= setInterval(() => void this.#tick(), TICK_MS);
      send().then(answered, () => answered());
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTicking();
    this.redis.disconnect();
    for (const { giveUp } of this.#asked) giveUp();
  }

  /** Counted in turns of our own event loop: when it was held, replies may be here that nobody has read yet. */
  async #tick(): Promise<void> {
    if (this.#asked.size === 0) return this.#stopTicking();
    this.#silentTicks += 1;
    if (this.#silentTicks < this.#patienceTicks) return;
    await turn();
    if (this.#silentTicks < this.#patienceTicks || !this.#isUp) return;
    this.#down();
    void this.#probe();
  }

  /** Asks whether Redis is there; a connection that stays silent is made anew. */
  async #probe(): Promise<void> {
    try {
      await this.redis.ping();
      if (this.redis.status === 'ready') this.#up();
    } catch {
      if (!this.#isClosed && this.redis.status === 'ready') this.redis.disconnect(true);
    }
  }

  #up(): void {
    this.#silentTicks = 0;
    if (this.#isUp || this.#isClosed) return;
    this.#isUp = true;
    this.#isRefusing = false;
    this.#onUp();
  }

  #down(): void {
    this.#stopTicking();
    for (const { giveUp } of this.#asked) giveUp();
    if (!this.#isUp) return;
    this.#isUp = false;
    if (!this.#isClosed) this.#onDown();
  }

  #noteRefusal(isRefusing: boolean): void {
    if (isRefusing === this.#isRefusing || !this.#isUp || this.#isClosed) return;
    this.#isRefusing = isRefusing;
    if (isRefusing) this.#onDown();
    else this.#onUp();
  }

  #stopTicking(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#silentTicks = 0;
  }
}

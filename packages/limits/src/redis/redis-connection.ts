import { setImmediate as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';

const TICK_MS = 10;
const COMMAND_MS = 5_000;
const SLOWEST_RECONNECT_MS = 1_000;

/** How long to wait without any reply before a question is given up, in milliseconds. */
export interface Patience {
  /** The usual limit. */
  usual: number;
  /** The limit where a decision without Redis might be wrong. */
  extended: number;
}

/** Refusing: Redis answers with errors, because it is full, read-only or loading. Slow and gone: it does not answer. */
type State = 'serving' | 'refusing' | 'slow' | 'gone' | 'disconnected';

/**
 * A reply; `unsure` if the outcome of the question is unknown until `late` gets it; `nothing` if it was not executed.
 */
export type AskResult<Reply> = { reply: Reply } | 'unsure' | 'nothing';

interface Asked {
  isPatient: boolean;
  giveUp: () => void;
}

/**
 * A connection to Redis that answers quickly or not at all. It gives up a question when nothing has been received for a
 * while, and asks nothing more until Redis answers again. `onDown` is called when decisions are no longer available,
 * `onUp` when they are again.
 */
export class RedisConnection {
  readonly redis: Redis;
  readonly #patience: Patience;
  readonly #onUp: () => void;
  readonly #onDown: () => void;
  readonly #asked = new Set<Asked>();
  #ticking: NodeJS.Timeout | undefined;
  #silentTicks = 0;
  #state: State = 'disconnected';
  #isClosed = false;

  constructor(url: string, patience: Patience, reported: { onUp: () => void; onDown: () => void }) {
    this.#patience = patience;
    this.#onUp = reported.onUp;
    this.#onDown = reported.onDown;
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false, // a script that ran before the connection was lost must not run again
      commandTimeout: COMMAND_MS,
      connectTimeout: COMMAND_MS,
      retryStrategy: (times) => Math.min(times * 50, SLOWEST_RECONNECT_MS),
    });
    this.redis.on('error', () => {}); // the `close` event reports a lost connection
    this.redis.on('ready', () => this.#become('serving'));
    this.redis.on('close', () => this.#become('disconnected'));
  }

  /** True if Redis is reachable. */
  get isUp(): boolean {
    return this.#state === 'serving' || this.#state === 'refusing';
  }

  /** True if Redis answers questions. */
  get isServing(): boolean {
    return this.#state === 'serving';
  }

  /** Resolves when it is up for the first time, or could not connect. */
  async settled(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      this.redis.once('ready', resolve);
      this.redis.once('close', resolve);
    });
  }

  /** Returns the reply if it comes in time. A later reply is passed to `late`; undefined if it never comes. */
  async ask<Reply>(
    send: () => Promise<Reply>,
    late: (reply: Reply | undefined) => void,
    isPatient = false,
  ): Promise<AskResult<Reply>> {
    if (!this.isUp && !(isPatient && this.#state === 'slow')) return 'nothing';
    return await new Promise<AskResult<Reply>>((resolve) => {
      let isOver = false;
      const giveUp = () => {
        isOver = true;
        this.#asked.delete(asked);
        resolve('unsure');
      };
      const asked = { isPatient, giveUp };
      const answered = (reply?: Reply) => {
        this.#asked.delete(asked);
        this.#received(reply === undefined);
        if (isOver) late(reply);
        else resolve(reply === undefined ? 'nothing' : { reply });
      };
      this.#asked.add(asked);
      this.#ticking ??= setInterval(() => void this.#tick(), TICK_MS);
      send().then(answered, () => answered());
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#become('disconnected');
    this.redis.disconnect();
  }

  /** Counts turns of this process's event loop: after a long turn, replies may have arrived that were not read yet. */
  async #tick(): Promise<void> {
    if (this.#asked.size === 0) return this.#stopTicking();
    this.#silentTicks += 1;
    await turn();
    if (this.#asked.size === 0) return;
    const silentMs = this.#silentTicks * TICK_MS;
    if (silentMs >= this.#patience.extended) this.#become('gone');
    else if (silentMs >= this.#patience.usual && this.isUp) this.#become('slow');
  }

  /** Handles a reply, or an error: from a lost connection, or a Redis that refuses. */
  #received(isError: boolean): void {
    if (isError && this.redis.status !== 'ready') return;
    this.#silentTicks = 0;
    this.#become(isError ? 'refusing' : 'serving');
  }

  #become(state: State): void {
    if (state === this.#state) return;
    const wasServing = this.isServing;
    this.#state = state;
    if (!this.isUp) this.#giveUp(state !== 'slow');
    if (this.#isClosed) return;
    if (state === 'slow' || state === 'gone') void this.#probe();
    if (wasServing) this.#onDown();
    else if (this.isServing) this.#onUp();
  }

  #giveUp(everything: boolean): void {
    for (const { isPatient, giveUp } of this.#asked) if (everything || !isPatient) giveUp();
    if (everything) this.#stopTicking();
  }

  /** Pings Redis; a connection that stays silent is replaced. */
  async #probe(): Promise<void> {
    try {
      await this.redis.ping();
      this.#received(false);
    } catch {
      if (!this.#isClosed && this.redis.status === 'ready') this.redis.disconnect(true);
    }
  }

  #stopTicking(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#silentTicks = 0;
  }
}

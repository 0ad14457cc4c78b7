import { setImmediate as turn } from 'node:timers/promises';
import { Redis } from 'ioredis';

const TICK_MS = 10;
const COMMAND_MS = 5_000;
const SLOWEST_RECONNECT_MS = 1_000;

/** How long may nothing come back, in milliseconds, until what was asked is given up. */
export interface Patience {
  /** As a rule. */
  usual: number;
  /** Where a decision without Redis might be wrong. */
  extended: number;
}

/** Refused: it answers with errors, for it is full, read-only or loading. Slow and gone: it is silent. */
type State = 'serving' | 'refusing' | 'slow' | 'gone' | 'disconnected';

/**
 * A reply; or none, where it is unsure what became of the question, which `late` will tell, or sure that nothing did.
 */
export type Heard<Reply> = { reply: Reply } | 'unsure' | 'nothing';

interface Asked {
  isPatient: boolean;
  giveUp: () => void;
}

/**
 * A connection to Redis that answers within a moment or not at all. It gives up on what it asked when nothing has come
 * back for a while, and asks nothing more until Redis is heard of again. `onDown` and `onUp` are reported when decisions
 * cannot be had from it any more, and when they can again.
 */
export class Line {
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
    this.redis.on('error', () => {}); // a loss is reported by its close
    this.redis.on('ready', () => this.#become('serving'));
    this.redis.on('close', () => this.#become('disconnected'));
  }

  /** Redis is there. */
  get isUp(): boolean {
    return this.#state === 'serving' || this.#state === 'refusing';
  }

  /** It answers what it is asked. */
  get isServing(): boolean {
    return this.#state === 'serving';
  }

  /** The first time that it is up, or that it could not connect. */
  async settled(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      this.redis.once('ready', resolve);
      this.redis.once('close', resolve);
    });
  }

  /** The reply, if it comes in time. One that comes later is handed to `late`; undefined, when it will never come. */
  async ask<Reply>(
    send: () => Promise<Reply>,
    late: (reply: Reply | undefined) => void,
    isPatient = false,
  ): Promise<Heard<Reply>> {
    if (!this.isUp && !(isPatient && this.#state === 'slow')) return 'nothing';
    return await new Promise<Heard<Reply>>((resolve) => {
      let isOver = false;
      const giveUp = () => {
        isOver = true;
        this.#asked.delete(asked);
        resolve('unsure');
      };
      const asked = { isPatient, giveUp };
      const answered = (reply?: Reply) => {
        this.#asked.delete(asked);
        this.#heard(reply === undefined);
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

  /** Counted in turns of our own event loop: when it was held, replies may be here that nobody has read yet. */
  async #tick(): Promise<void> {
    if (this.#asked.size === 0) return this.#stopTicking();
    this.#silentTicks += 1;
    await turn();
    if (this.#asked.size === 0) return;
    const silentMs = this.#silentTicks * TICK_MS;
    if (silentMs >= this.#patience.extended) this.#become('gone');
    else if (silentMs >= this.#patience.usual && this.isUp) this.#become('slow');
  }

  /** A reply, or an error: of a connection that was lost, or of a Redis that refuses. */
  #heard(isError: boolean): void {
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

  /** Asks whether Redis is there; a connection that stays silent is made anew. */
  async #probe(): Promise<void> {
    try {
      await this.redis.ping();
      this.#heard(false);
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

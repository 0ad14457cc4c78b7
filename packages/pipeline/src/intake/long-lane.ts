import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@dmarc-ledger/vocabulary';

/** The process is stopping; the next process reads the delivery again. */
export class IntakeStoppedError extends CodedError<'intake_stopped'> {
  override readonly retryable = true;
}

/** Queued work. */
export interface LaneEntry {
  /** The work handles its own faults. */
  work(): Promise<void>;
  /** Called instead of `work` when the lane closes before the turn of this entry. */
  giveUp(): Promise<void>;
}

/** Long deliveries stored at a time in the process; each may take some 100 MiB while it is read. */
const AT_ONCE = 1;
/** Entries of an organization that may wait. */
const WAITING = 1_000;
/** How long a long delivery may continue when the process stops; less than a service has for its stop. */
const GRACE_MS = 10_000;

/**
 * Stores long deliveries beside the small ones, so that small ones never wait: one at a time in the process, the
 * organizations in turn.
 */
export class LongLane {
  readonly #running = new Map<string, Promise<void>>();
  /** By organization, the next in turn first. */
  readonly #waiting = new Map<string, LaneEntry[]>();
  /** Organizations with deliveries that are passed over, because too many wait in the lane. */
  readonly passedOver = new Set<string>();
  readonly #stopping = new AbortController();
  #isClosed = false;
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Aborts with an `IntakeStoppedError` when the lane closes and the grace period is over. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Whether work of this organization would begin at once. */
  isFree(orgId: string): boolean {
    return !this.#isClosed && this.#running.size < AT_ONCE && !this.#running.has(orgId) && !this.#waiting.has(orgId);
  }

  begin(orgId: string, work: () => Promise<void>): void {
    const running = work()
      .catch(this.#onFault)
      .finally(() => {
        this.#running.delete(orgId);
        this.#next();
      });
    this.#running.set(orgId, running);
  }

  /** Whether as much work of this organization waits as may. */
  isFull(orgId: string): boolean {
    return this.#waitingOf(orgId) >= WAITING;
  }

  /** Whether at most half as much waits, so that it is worth looking for more. */
  hasRoom(orgId: string): boolean {
    return this.#waitingOf(orgId) <= WAITING / 2;
  }

  /** Queues work. */
  async enter(orgId: string, entry: LaneEntry): Promise<void> {
    if (this.#isClosed) return await entry.giveUp();
    const line = this.#waiting.get(orgId);
    if (line) line.push(entry);
    else this.#waiting.set(orgId, [entry]);
    this.#next();
  }

  /** Discards queued work, lets running work finish within the grace period, then stops it. */
  async close(graceMs = GRACE_MS): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const entry of left) await entry.giveUp().catch(this.#onFault);
    const ended = Promise.all(this.#running.values());
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
    this.#stopping.abort(new IntakeStoppedError('intake_stopped', 'the process is stopping'));
    await ended;
  }

  #waitingOf(orgId: string): number {
    return this.#waiting.get(orgId)?.length ?? 0;
  }

  #next(): void {
    for (const [orgId, line] of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      if (this.#running.has(orgId)) continue;
      const entry = line.shift();
      this.#waiting.delete(orgId);
      if (line.length > 0) this.#waiting.set(orgId, line); // after the other organizations
      if (entry) this.begin(orgId, () => entry.work());
    }
  }
}

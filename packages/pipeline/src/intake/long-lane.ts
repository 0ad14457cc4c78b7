/** Work that waits for its turn. */
export interface LaneEntry {
  /** Never fails: whatever goes wrong is its own matter. */
  work(): Promise<void>;
  /** It will not come to its turn here. */
  giveUp(): Promise<void>;
}

/** Long deliveries stored at a time in the process, and of them one of each organization. */
const AT_ONCE = 2;
/** Those that may wait: beyond that whoever brings more waits as well. */
const WAITING = 1_000;

/**
 * Where long deliveries are stored beside the small ones, so that these never wait for them: a few at a time, the
 * organizations in turn, each with one at most.
 */
export class LongLane {
  readonly #running = new Map<string, Promise<void>>();
  /** By organization, the one whose turn is next first. */
  readonly #waiting = new Map<string, LaneEntry[]>();
  #isClosed = false;
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** True when work of this organization would begin at once. */
  isFree(orgId: string): boolean {
    return this.#running.size < AT_ONCE && !this.#running.has(orgId) && !this.#waiting.has(orgId);
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

  /** Puts work in line. Waits where too much is in line already. */
  async enter(orgId: string, entry: LaneEntry): Promise<void> {
    while (this.#waitingInAll >= WAITING && this.#running.size > 0 && !this.#isClosed)
      await Promise.race(this.#running.values());
    if (this.#isClosed) return await entry.giveUp();
    const line = this.#waiting.get(orgId);
    if (line) line.push(entry);
    else this.#waiting.set(orgId, [entry]);
    this.#next();
  }

  /** Finishes what has begun, and gives up the rest. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const entry of left) await entry.giveUp().catch(this.#onFault);
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  get #waitingInAll(): number {
    let all = 0;
    for (const line of this.#waiting.values()) all += line.length;
    return all;
  }

  #next(): void {
    for (const [orgId, line] of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      if (this.#running.has(orgId)) continue;
      const entry = line.shift();
      this.#waiting.delete(orgId);
      if (line.length > 0) this.#waiting.set(orgId, line); // behind the others
      if (entry) this.begin(orgId, () => entry.work());
    }
  }
}

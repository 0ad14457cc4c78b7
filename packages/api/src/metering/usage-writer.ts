import { addUsage, forgetUsageBatches, noteKeyUse } from '@dmarc-ledger/ledger/for-api';
import type { Db } from '@dmarc-ledger/schema';
import type { Limiter, UsageBatch } from '@dmarc-ledger/limits';

const WRITE_MS = 2_000;
const FORGET_MS = 6 * 3_600_000;

/**
 * Stores the usage that the limiter has counted, every two seconds and at the end. A batch whose write failed, or whose
 * commit has an unknown outcome, is written again under the same id, which adds nothing if it was stored.
 */
export class UsageWriter {
  readonly #db: Db;
  readonly #limiter: Limiter;
  readonly #onFault: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #forgotAt = -Infinity;

  constructor(db: Db, limiter: Limiter, onFault: (error: unknown) => void) {
    this.#db = db;
    this.#limiter = limiter;
    this.#onFault = onFault;
    this.#timer = setInterval(() => void this.write().catch(onFault), WRITE_MS).unref();
  }

  /** Stores everything counted before the call; concurrent calls share one write. */
  async write(): Promise<void> {
    this.#next ??= this.#writeAfter(this.#running);
    await this.#next;
  }

  /** Stores the remaining usage. Usage that cannot be stored is reported and lost, unless Redis has it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write().catch(this.#onFault);
  }

  async #writeAfter(running: Promise<void>): Promise<void> {
    await running.catch(() => {});
    this.#next = undefined;
    this.#running = this.#writeAll();
    await this.#running;
  }

  async #writeAll(): Promise<void> {
    const faults: unknown[] = [];
    for (const batch of await this.#limiter.batches()) {
      await this.#writeBatch(batch).catch((error: unknown) => faults.push(error));
    }
    if (faults.length > 0) throw faults[0];
    if (performance.now() - this.#forgotAt < FORGET_MS) return;
    await forgetUsageBatches(this.#db);
    this.#forgotAt = performance.now();
  }

  async #writeBatch({ id, counts, uses }: UsageBatch): Promise<void> {
    if (uses.length > 0) await noteKeyUse(this.#db, uses);
    if (counts.length > 0) await addUsage(this.#db, id, counts);
    await this.#limiter.settle(id);
  }
}

import { ReportError } from './errors.ts';
import { MAX_IDLE_MS, MAX_READING_MS } from './limits.ts';

/** Limits the time of reading; the time of the consumer does not count. */
export class ReadingClock {
  #spent = 0;
  #idle = 0;
  #since = performance.now();

  /** To be called after each chunk. */
  check(madeProgress: boolean): void {
    const now = performance.now();
    const passed = now - this.#since;
    this.#since = now;
    this.#spent += passed;
    this.#idle = madeProgress ? 0 : this.#idle + passed;
    if (this.#idle > MAX_IDLE_MS || this.#spent > MAX_READING_MS) {
      throw new ReportError('parse_timeout', 'the document takes longer to read than any report does');
    }
  }

  /** To be called when the consumer hands control back. */
  resume(): void {
    this.#since = performance.now();
  }
}

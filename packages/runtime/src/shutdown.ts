import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

interface Opened {
  close: () => unknown;
}

/** What a process has opened, closed in the opposite order, each whatever happens to the others. */
export class Resources {
  readonly #opened: Opened[] = [];
  readonly #log: Logger;
  #closing?: Promise<boolean>;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Hands the resource back, and remembers how it is closed. What is opened after closing began is closed at once. */
  use<T>(resource: T, close: (resource: T) => unknown): T {
    const opened = { close: () => close(resource) };
    if (this.#closing) void this.#closeOne(opened);
    else this.#opened.push(opened);
    return resource;
  }

  /** Closes all, within the limit; false when something was still open then. */
  closeAll(limitMs: number): Promise<boolean> {
    return (this.#closing ??= this.#closeWithin(limitMs));
  }

  async #closeWithin(limitMs: number): Promise<boolean> {
    const patience = new AbortController();
    const late = sleep(limitMs, false, { signal: patience.signal }).catch(() => false);
    const closed = this.#closeLastFirst().then(() => true);
    const isClosed = await Promise.race([closed, late]);
    patience.abort();
    return isClosed;
  }

  async #closeLastFirst(): Promise<void> {
    for (const opened of this.#opened.splice(0).toReversed()) await this.#closeOne(opened);
  }

  async #closeOne({ close }: Opened): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.#log.error({ event: 'service.close_failed', error }, 'something could not be closed');
    }
  }
}

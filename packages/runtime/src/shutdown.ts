import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

interface Opened {
  close: () => unknown;
}

/** The open resources of a process, closed in the opposite order, each regardless of the others' failures. */
export class Resources {
  readonly #opened: Opened[] = [];
  readonly #log: Logger;
  #closing?: Promise<boolean>;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns the resource, and records how it is closed. A resource opened after closing began is closed at once. */
  use<T>(resource: T, close: (resource: T) => unknown): T {
    const opened = { close: () => close(resource) };
    if (this.#closing) void this.#closeOne(opened);
    else this.#opened.push(opened);
    return resource;
  }

  /** Closes everything within the limit; false when something was still open then. */
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

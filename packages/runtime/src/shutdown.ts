import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';

/** Registers a resource: it is closed, last opened first, when the service ends. */
export type Use = <T>(resource: T, close: (resource: T) => unknown) => T;

/**
 * Groups resources that do not need each other: they are closed side by side, in the place of the first, so that
 * closing them takes as long as the slowest. Failures are thrown together once all are closed.
 */
export function closedTogether(use: Use): Use {
  const group: (() => unknown)[] = [];
  let isClosing = false;
  use(group, async (closes) => {
    isClosing = true;
    const ends = await Promise.allSettled(closes.map(async (close) => close()));
    const errors: unknown[] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (errors.length > 0) throw new AggregateError(errors, 'Not all services could be closed.');
  });
  return (resource, close) => {
    if (isClosing) return use(resource, close);
    group.push(() => close(resource));
    return resource;
  };
}

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

  /**
   * Closes everything; false when it took longer than `limitMs`. Then the resource that is late is left behind, and the
   * others have `extraMs` more: a database server that this process started must not outlive it.
   */
  closeAll(limitMs: number, extraMs = 0): Promise<boolean> {
    return (this.#closing ??= this.#closeWithin(limitMs, extraMs));
  }

  async #closeWithin(limitMs: number, extraMs: number): Promise<boolean> {
    const ended = new AbortController();
    const { signal } = ended;
    const late = sleep(limitMs, undefined, { signal }).catch(() => undefined);
    const over = sleep(limitMs + extraMs, undefined, { signal }).catch(() => undefined);
    let isLate = false;
    void late.then(() => (isLate = true));
    const closing = (async () => {
      for (const opened of this.#opened.splice(0).toReversed()) {
        const closed = this.#closeOne(opened);
        await Promise.race([closed, isLate ? over : late]);
      }
      return !isLate;
    })();
    const isInTime = await Promise.race([closing, over.then(() => false)]);
    ended.abort();
    return isInTime;
  }

  async #closeOne({ close }: Opened): Promise<void> {
    try {
      await close();
    } catch (error) {
      this.#log.error({ event: 'service.close_failed', error }, 'something could not be closed');
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue, Worker } from 'bullmq';
import { present } from '@dmarc-ledger/vocabulary';
import type { Backend } from './backend.ts';
import { queueNames, refuseUnhandled, refuseUnknown, type Handlers } from './jobs.ts';
import { QueueError } from './errors.ts';
import type { QueueLog, OnQueueError } from './log.ts';
import { Producer, type JobEntry } from './producer.ts';
import { openWorker, usualTiming, type Finished, type Timing } from './worker.ts';

const DRAIN_MS = 12_000; // of the 20 seconds that a service has to end
const CLEAN_EVERY_MS = 3_600_000;
const FAILED_KEPT_MS = 7 * 86_400_000;
const CLEANED_AT_ONCE = 1_000;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

export interface WorkSettings {
  /** The queues to serve; default: all. */
  queues?: string[];
  /** Jobs at a time on each queue. */
  concurrency?: number;
  /** The same of single queues, by name. */
  concurrencyOf?: { readonly [queue: string]: number };
  timing?: Timing;
  onFinished?: (finished: Finished) => void;
  onStalled?: (queue: string) => void;
}

export type QueueCounts = Record<string, Record<(typeof STATES)[number], number>>;

/** The queues, on either store: a place to add jobs, and workers that do them. */
export class Queues {
  readonly #backend: Backend;
  readonly #log: QueueLog;
  readonly #onError: OnQueueError;
  readonly #queues: ReadonlyMap<string, Queue>;
  readonly #workers: Worker[] = [];
  readonly #producer: Producer;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #cleaning?: NodeJS.Timeout;
  #closing?: Promise<void>;

  constructor(backend: Backend, opened: ReadonlyMap<string, Queue>, log: QueueLog, onError: OnQueueError) {
    this.#backend = backend;
    this.#queues = opened;
    this.#log = log;
    this.#onError = onError;
    this.#producer = new Producer(backend, (name) => this.#queueOf(name));
  }

  /** Adds jobs. Rejects at once while the store is down; adding the same again is safe. */
  addAll(entries: JobEntry[]): Promise<void> {
    return this.#producer.addAll(entries);
  }

  /**
   * Serves these queues until closed. When one of them cannot be served now, closes and rejects. Throws a QueueError
   * `handler_missing`, before any work begins, for a queue that has a job without a handler.
   */
  async work(handlers: Partial<Handlers>, settings: WorkSettings = {}): Promise<void> {
    const { queues = queueNames, concurrency = 1, concurrencyOf = {}, timing = usualTiming } = settings;
    refuseUnknown(queues);
    refuseUnhandled(handlers, queues);
    const { onFinished = () => {}, onStalled = () => {} } = settings;
    const needs = {
      backend: this.#backend,
      handlers,
      log: this.#log,
      onError: this.#onError,
      timing,
      onFinished,
      onStalled,
      ending: this.#ending.signal,
      running: this.#running,
    };
    const opening = queues.map((queue) =>
      openWorker(queue, { ...needs, concurrency: concurrencyOf[queue] ?? concurrency }),
    );
    const opened = await Promise.allSettled(opening);
    this.#workers.push(...opened.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
    const failed = opened.find((each) => each.status === 'rejected');
    if (failed) {
      await this.close();
      throw failed.reason;
    }
    this.#cleaning ??= setInterval(() => void this.#clean(queues), CLEAN_EVERY_MS).unref();
  }

  /** True while the store answers. */
  isUp(): Promise<boolean> {
    return this.#backend.isUp();
  }

  /** How many jobs each queue holds, by state. Rejects at once while the store is down. */
  async counts(): Promise<QueueCounts> {
    const reason = this.#backend.whyDown(); // a client that has never connected would wait, even when it is closed
    if (reason) throw new QueueError('queue_unavailable', `The jobs were not counted: ${reason}.`);
    const counts = await Promise.all(queueNames.map((name) => this.#queueOf(name).getJobCounts(...STATES)));
    return Object.fromEntries(queueNames.map((name, i) => [name, counts[i]])) as QueueCounts;
  }

  /** Stops taking jobs, waits at most 12 seconds for running ones, and closes the store. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    clearInterval(this.#cleaning);
    this.#ending.abort();
    const patience = new AbortController();
    // a worker that has lost its store waits for it even to close, and goes on trying afterwards unless it is forced
    const isForced = this.#backend.whyDown() !== undefined;
    if (isForced) await Promise.race([Promise.allSettled(this.#running), sleep(DRAIN_MS, undefined, { ref: false })]);
    const drained = Promise.all(this.#workers.map((worker) => worker.close(isForced))).finally(() => patience.abort());
    await Promise.race([drained, sleep(DRAIN_MS, undefined, { signal: patience.signal }).catch(() => {})]);
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#backend.close();
  }

  async #clean(queues: string[]): Promise<void> {
    const cleaned = queues.map((name) => this.#queueOf(name).clean(FAILED_KEPT_MS, CLEANED_AT_ONCE, 'failed'));
    await Promise.all(cleaned).catch((error: Error) => this.#onError('clean', error));
  }

  #queueOf(name: string): Queue {
    return present(this.#queues.get(name));
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { watchEventLoop, type EventLoopLag } from './event-loop-lag.ts';

/** A value, with the labels that distinguish it from others of its name. */
export interface LabelledValue<Label extends string> {
  labels: { [label in Label]: string };
  value: number;
}

type Read<Label extends string> = () => readonly LabelledValue<Label>[] | Promise<readonly LabelledValue<Label>[]>;

/** The metrics of one process. Labels are bounded: never an organization, an address or a domain. */
export interface Metrics {
  registry: Registry;
  lag: EventLoopLag;
  counter<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  gauge<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): Gauge<Label>;
  /** A gauge whose value is read when the metrics are; undefined: none is shown. */
  gaugeOf(name: string, help: string, read: () => number | undefined | Promise<number | undefined>): Gauge;
  /**
   * Several values of a gauge, distinguished by their labels; a value that is no longer returned is no longer shown.
   */
  gaugesOf<Label extends string>(name: string, help: string, labels: readonly Label[], read: Read<Label>): Gauge<Label>;
  /** Counters that are counted elsewhere, read when the metrics are. */
  countersOf<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: Read<Label>,
  ): Counter<Label>;
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labels?: readonly Label[],
  ): Histogram<Label>;
  close(): void;
}

/** A value that is not read in this time is left out, so that a scrape ends while a database does not answer. */
const READ_WITHIN_MS = 2_000;

/** The library is loaded here, so that commands without metrics start faster. */
export async function openMetrics({ service, version }: { service: string; version: string }): Promise<Metrics> {
  const client = await import('prom-client');
  const registry = new client.Registry();
  const registers = [registry];
  registry.setDefaultLabels({ service });
  client.collectDefaultMetrics({ register: registry });
  const lag = watchEventLoop();
  const unread = new client.Counter({
    name: 'metrics_unread_total',
    help: 'Metrics that could not be read at a scrape.',
    labelNames: ['metric'],
    registers,
  });
  /** The readable metrics; the others are left out, and the fault is counted: one metric never affects the others. */
  const readable = async <Label extends string>(name: string, read: Read<Label>) => {
    try {
      return await within(READ_WITHIN_MS, read);
    } catch {
      unread.inc({ metric: name });
      return [];
    }
  };
  const gaugesOf: Metrics['gaugesOf'] = (name, help, labelNames, read) =>
    new client.Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const values = await readable(name, read);
        this.reset();
        if (labelNames.length === 0 && values.length === 0) this.remove();
        for (const { labels, value } of values) this.set(labels, value);
      },
    });
  const metrics: Metrics = {
    registry,
    lag,
    counter: (name, help, labels = []) => new client.Counter({ name, help, labelNames: labels, registers }),
    gauge: (name, help, labels = []) => new client.Gauge({ name, help, labelNames: labels, registers }),
    gaugeOf: (name, help, read) =>
      gaugesOf(name, help, [], async () => {
        const value = await read();
        return value === undefined ? [] : [{ labels: {}, value }];
      }),
    gaugesOf,
    countersOf: (name, help, labelNames, read) =>
      new client.Counter({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const values = await readable(name, read);
          this.reset();
          for (const { labels, value } of values) this.inc(labels, value);
        },
      }),
    histogram: (name, help, buckets, labels = []) =>
      new client.Histogram({ name, help, buckets, labelNames: labels, registers }),
    close: () => {
      lag.close();
      registry.clear();
    },
  };
  metrics.gauge('build_info', 'Which version runs.', ['version', 'node']).set({ version, node: process.version }, 1);
  metrics.gaugeOf('eventloop_lag_seconds', 'Longest recent block of the event loop.', () => lag.seconds());
  return metrics;
}

async function within<T>(ms: number, read: () => T | Promise<T>): Promise<T> {
  const patience = new AbortController();
  const late = sleep(ms, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`no answer in ${ms} ms`);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    late.catch(() => {});
    patience.abort();
  }
}

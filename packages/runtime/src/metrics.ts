import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { watchEventLoop, type EventLoopLag } from './event-loop-lag.ts';

/** The figures of one process. Labels are bounded: never an organization, an address or a domain. */
export interface Metrics {
  registry: Registry;
  lag: EventLoopLag;
  counter<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  gauge<Label extends string = never>(name: string, help: string, labels?: readonly Label[]): Gauge<Label>;
  /** A gauge that is asked for its value when the metrics are read. */
  gaugeOf(name: string, help: string, read: () => number | Promise<number>): Gauge;
  /** The same for several values, told apart by their labels; what is no longer there is no longer told. */
  gaugesOf<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    read: () => Promise<{ labels: { [label in Label]: string }; value: number }[]>,
  ): Gauge<Label>;
  histogram<Label extends string = never>(
    name: string,
    help: string,
    buckets: number[],
    labels?: readonly Label[],
  ): Histogram<Label>;
  close(): void;
}

export function openMetrics({ service, version }: { service: string; version: string }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const lag = watchEventLoop();
  const metrics: Metrics = {
    registry,
    lag,
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers }),
    gauge: (name, help, labels = []) => new Gauge({ name, help, labelNames: labels, registers }),
    gaugeOf: (name, help, read) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await read());
        },
      }),
    gaugesOf: (name, help, labelNames, read) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const values = await read();
          this.reset();
          for (const { labels, value } of values) this.set(labels, value);
        },
      }),
    histogram: (name, help, buckets, labels = []) =>
      new Histogram({ name, help, buckets, labelNames: labels, registers }),
    close: () => {
      lag.close();
      registry.clear();
    },
  };
  metrics.gauge('build_info', 'Which version runs.', ['version', 'node']).set({ version, node: process.version }, 1);
  metrics.gaugeOf('eventloop_lag_seconds', 'How long the event loop was held at worst of late.', () => lag.seconds());
  return metrics;
}

import { queueNames } from '@dmarc-ledger/queues';

/** Queues whose jobs ask the outside. */
const ASKING = new Set(['lookups', 'domains', 'deliveries']);
const PURGING = 'purges';
/** Checks of domains mostly wait for others: so many for each job that other queues do at a time. */
const CHECKS_AT_A_TIME = 4;
/** Deliveries wait for others too, up to 15 seconds each. */
const DELIVERIES_AT_A_TIME = 16;

/** The queues of a worker that was not told which to serve: those whose jobs it has what they need for. */
export function servedQueues({ asks, purges }: { asks: boolean; purges: boolean }): string[] {
  return queueNames.filter((name) => (ASKING.has(name) ? asks : name === PURGING ? purges : true));
}

/** Jobs at a time, by queue, where it is another number than everywhere. */
export function concurrencyOf(concurrency: number): { [queue: string]: number } {
  return {
    domains: CHECKS_AT_A_TIME * concurrency,
    deliveries: DELIVERIES_AT_A_TIME * concurrency,
    [PURGING]: 1,
  };
}

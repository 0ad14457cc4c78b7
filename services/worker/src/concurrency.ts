/** Checks of domains mostly wait for others: so many for each job that other queues do at a time. */
const CHECKS_AT_A_TIME = 4;
/** Deliveries wait for others too, up to 15 seconds each. */
const DELIVERIES_AT_A_TIME = 16;

/** Jobs at a time, by queue, where it is another number than everywhere. */
export function concurrencyOf(concurrency: number): { [queue: string]: number } {
  return {
    domains: CHECKS_AT_A_TIME * concurrency,
    deliveries: DELIVERIES_AT_A_TIME * concurrency,
    purges: 1,
  };
}

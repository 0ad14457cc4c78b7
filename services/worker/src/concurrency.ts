/** Checks of domains mostly wait for others, so many of them run for each job of other queues. */
const CHECKS_AT_A_TIME = 4;
/** Notifications wait for others too, up to 15 seconds each. */
const NOTIFICATIONS_AT_A_TIME = 16;

/** Jobs at a time, by queue, where it differs from the default. */
export function concurrencyOf(concurrency: number): { [queue: string]: number } {
  return {
    domains: CHECKS_AT_A_TIME * concurrency,
    deliveries: NOTIFICATIONS_AT_A_TIME * concurrency,
    purges: 1,
  };
}

/** Checks of domains mostly wait for others, so many of them run for each job of other queues. */
const CHECKS_AT_A_TIME = 4;
/**
 * More checks of domains at one provider would wait for its turns, ten queries a second, until their time is over, and
 * find out nothing.
 */
const MOST_CHECKS = 8;
/** Notifications wait for others too, up to 15 seconds each. */
const NOTIFICATIONS_AT_A_TIME = 16;

/** Jobs at a time, by queue, where it differs from the default. */
export function concurrencyOf(concurrency: number): { [queue: string]: number } {
  return {
    domains: Math.min(CHECKS_AT_A_TIME * concurrency, MOST_CHECKS),
    deliveries: NOTIFICATIONS_AT_A_TIME * concurrency,
    purges: 1,
  };
}

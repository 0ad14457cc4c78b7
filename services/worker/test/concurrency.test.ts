import { expect, it } from 'vitest';
import { concurrencyOf } from '../src/concurrency.ts';

it.each([
  [1, 4],
  [2, 8],
  [8, 8],
  [64, 8],
])('with %i jobs at a time, %i domains are checked: more at one provider would be out of time', (jobs, checks) => {
  expect(concurrencyOf(jobs)).toMatchObject({ domains: checks, deliveries: 16 * jobs });
});

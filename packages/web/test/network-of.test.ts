import { expect, it } from 'vitest';
import { networkOf } from '../src/people/network-of.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
  ['2001:db8:1:2::9', '2001:0db8:0001:0002::/64'],
  ['unknown', 'none'],
  [`made-up-${'x'.repeat(10_000)}`, 'none'],
])('counts attempts from %j by the network %j', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

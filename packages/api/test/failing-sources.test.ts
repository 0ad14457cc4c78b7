import { describe, expect, it } from 'vitest';
import { FailingSources, sourceOf } from '../src/auth/failing-sources.ts';

describe('a source of keys that open nothing', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
    ['2001:DB8:1:2::', '2001:0db8:0001:0002::/64'],
    ['::1', '0000:0000:0000:0000::/64'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ])('of %s is %s', (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });

  it('is counted as one, however many addresses it has', () => {
    const failing = new FailingSources();
    expect(failing.lastMinute()).toEqual({ sources: 0, worst: 0 });
    for (let i = 1; i <= 5; i += 1) failing.note(`2001:db8::${i}`);
    failing.note('192.0.2.1');
    expect(failing.lastMinute()).toEqual({ sources: 2, worst: 5 });
  });
});

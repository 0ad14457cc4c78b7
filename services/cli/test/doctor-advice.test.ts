import { expect, it } from 'vitest';
import { adviceOf } from '../src/doctor/advice.ts';
import { error, ok, warning } from '../src/doctor/finding.ts';

it('says how to repair a finding, and all of what the table has no room for', () => {
  const long = `The mailbox cannot be read: ${'no '.repeat(40)}connection.`;
  expect(
    adviceOf([ok('disk', 'fine'), warning('geo data', 'old', 'Update it.'), error('mailbox', long, 'Try.')]),
  ).toEqual(['geo data: Update it.', `mailbox: ${long} Try.`]);
  expect(adviceOf([error('mailbox', long.slice(0, -1), 'Try.')])).toEqual([`mailbox: ${long} Try.`]);
});

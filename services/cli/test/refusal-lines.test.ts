import { expect, it } from 'vitest';
import { refusalLines } from '../src/refusal-lines.ts';

const refusal = { source: 'a\nb.xml', code: 'unreadable', message: 'It cannot be read: no such file' };

it('says of each refusal which file it is, in one line, and why', () => {
  expect(refusalLines([refusal])).toEqual(['refused  a b.xml: unreadable: It cannot be read: no such file']);
});

it('says how many more there are', () => {
  const lines = refusalLines(Array.from({ length: 25 }, () => refusal));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('… and 5 more; --json lists all');
});

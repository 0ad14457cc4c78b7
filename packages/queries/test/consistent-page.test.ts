import { expect, it } from 'vitest';
import { consistentPage } from '../src/lists/consistent-page.ts';

const page = { limit: 3, offset: 2 };
const rowsAndTotal = (count: number, total: number) => ({ rows: Array.from({ length: count }, () => 'row'), total });

it.each([
  ['a full page', [rowsAndTotal(3, 9)], 3, 9, 1],
  ['the last page', [rowsAndTotal(2, 4)], 2, 4, 1],
  ['a page behind the end', [rowsAndTotal(0, 2)], 0, 2, 1],
  ['more rows than were counted', [rowsAndTotal(3, 4), rowsAndTotal(3, 9)], 3, 9, 2],
  ['fewer rows than were counted', [rowsAndTotal(1, 9), rowsAndTotal(1, 3)], 1, 3, 2],
  ['a list that never rests', [rowsAndTotal(3, 2), rowsAndTotal(3, 3), rowsAndTotal(3, 4)], 3, 5, 3],
])('answers %s with a total that fits the rows', async (_, answers, count, total, reads) => {
  const left = [...answers];
  const answer = await consistentPage(page, () => Promise.resolve(left.shift()!));
  expect({ count: answer.rows.length, total: answer.total }).toEqual({ count, total });
  expect(answers.length - left.length).toBe(reads);
});

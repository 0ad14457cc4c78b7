import type { Place, SortedList } from './sorted-list.ts';

/** Up to this number, collecting and sorting the rows is faster than walking the sort's index. */
const FEW_ROWS = 3_000;
/** A row read in the order of another key costs about as much as so many that are collected and sorted. */
const WALKED = 2;
/** The same where one index has all that is needed of the collected rows: they are not visited. */
const WALKED_OF_COVERED = 5;

/**
 * Tells whether a slice of a list of so many rows is read faster by collecting and sorting all of them. A walk of the
 * sort's index passes rows that do not match as well, and has to read each one to tell: as many for each row as there
 * are in all, or all of them before the first row where the rows stand together.
 */
export function isFasterSorted(
  {
    filtered,
    unfiltered = 0,
    clustered,
    covered,
  }: Pick<SortedList, 'filtered' | 'unfiltered' | 'clustered' | 'covered'>,
  { before, count, after }: Place,
  total: number,
): boolean {
  if (!filtered) return false;
  const place = Math.min(before, after) + count;
  const walked = clustered ? place + unfiltered - total : (place * unfiltered) / total;
  return total <= FEW_ROWS || walked * (covered ? WALKED_OF_COVERED : WALKED) > total;
}

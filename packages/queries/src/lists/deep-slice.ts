import { present } from '@dmarc-ledger/vocabulary';
import type { Db } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { findSlice } from './find-slice.ts';
import { limitedTo, type Slice, type SortedList } from './sorted-list.ts';

/** The number of rows with a key from `from` up to the next bucket. Buckets ascend. */
export interface Bucket {
  from: string;
  rows: number;
}

/** Up to this offset, walking an index is faster than reading the counts. */
const DEEP = 2_000;

/**
 * Like `findSlice`, for lists whose rows are counted by key: for a large offset, the walk begins at the bucket that
 * contains the slice. The counts are only read in that case.
 */
export async function findDeepSlice(
  db: Db,
  list: SortedList,
  slice: Slice,
  { total, countBuckets }: { total: number; countBuckets: () => Promise<Bucket[]> },
): Promise<string[]> {
  const depth = Math.min(slice.offset, total - slice.offset - slice.limit);
  if (depth < DEEP) return await findSlice(db, list, slice, total);
  const buckets = await countBuckets();
  const filled = buckets.reduce((sum, { rows }) => sum + rows, 0);
  if (slice.offset + slice.limit > filled) return await findSlice(db, list, slice, total);
  const { skipped, where } =
    slice.direction === 'asc' ? fromBelow(list, buckets, slice.offset) : fromAbove(list, buckets, slice.offset);
  const rest = limitedTo({ ...list, key: { ...list.key, nullable: false } }, where);
  return await findSlice(db, rest, { ...slice, offset: slice.offset - skipped }, filled - skipped);
}

function fromBelow({ key }: SortedList, buckets: Bucket[], offset: number) {
  let skipped = 0;
  let at = 0;
  while (at < buckets.length - 1 && skipped + present(buckets[at]).rows <= offset)
    skipped += present(buckets[at++]).rows;
  return { skipped, where: [sql<boolean>`${key.expression} >= ${present(buckets[at]).from}::${sql.raw(key.type)}`] };
}

function fromAbove({ key }: SortedList, buckets: Bucket[], offset: number) {
  let skipped = 0;
  let at = buckets.length - 1;
  while (at > 0 && skipped + present(buckets[at]).rows <= offset) skipped += present(buckets[at--]).rows;
  const above = buckets[at + 1]?.from;
  const filled = sql<boolean>`${key.expression} is not null`;
  return {
    skipped,
    where: [above === undefined ? filled : sql<boolean>`${key.expression} < ${above}::${sql.raw(key.type)}`],
  };
}

import type { Slice } from './sorted-list.ts';

/** The part of a list behind the rows that come first. */
export interface Rest {
  slice: Slice;
  total: number;
}

/**
 * Returns one slice of a list in which these rows come first; the others follow in the order of the list.
 * @param rest reads a slice of the list without those rows
 */
export async function sliceWithFirst(
  first: readonly string[],
  slice: Slice,
  total: number,
  rest: (rest: Rest) => Promise<string[]>,
): Promise<string[]> {
  const shown = first.slice(slice.offset, slice.offset + slice.limit);
  if (shown.length === slice.limit) return shown;
  const behind = { limit: slice.limit - shown.length, offset: Math.max(0, slice.offset - first.length) };
  return [...shown, ...(await rest({ slice: { ...slice, ...behind }, total: total - first.length }))];
}

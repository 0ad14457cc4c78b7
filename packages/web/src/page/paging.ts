import { z } from 'zod';

/** No list is longer, and positions of records in a report are not larger. */
const INTEGER = /^\d{1,9}$/;
const ROWS = 50;

/** How many rows a page shows, and how many it skips. */
export const pagingShape = {
  offset: z.string().regex(INTEGER).transform(Number).catch(0),
};

export const rowsOfPage = ROWS;

/** By what the server sorts, and in which direction. */
export function sortShape<const Sort extends string>(sorts: readonly [Sort, ...Sort[]], usual: NoInfer<Sort>) {
  return { sort_by: z.enum(sorts).catch(usual), sort_dir: z.enum(['asc', 'desc']).catch('desc') };
}

/** As long as a domain, and the name of a reporter. */
const LONGEST_TEXT = 255;

/** A text that a link has, to the letter; nothing when it is empty. */
export const exactText = z
  .string()
  .transform((text) => text || undefined)
  .optional()
  .catch(undefined);

/** A text that people search for; nothing when it is empty. */
export const searchText = z
  .string()
  .transform((text) => text.trim().slice(0, LONGEST_TEXT) || undefined)
  .optional()
  .catch(undefined);

import { HttpProblem } from '@dmarc-ledger/vocabulary';
import type { z } from 'zod';
import { readForm } from '../page/read-form.ts';

export const NO_PAGE = 'This address makes no sense';
export const NO_FORM = 'Something in that form is missing, or too long';

/**
 * Reads parameters; what a page needs and is not there is a request for nothing.
 * @param otherwise what is said where the shape has no words of its own
 */
export function readInput(shape: z.ZodObject, given: unknown, otherwise: string): { [name: string]: unknown } {
  const result = shape.safeParse(readForm(given), { error: () => otherwise });
  if (result.success) return result.data;
  throw new HttpProblem('bad_request', { status: 400, error: result.error.issues[0]?.message ?? otherwise });
}

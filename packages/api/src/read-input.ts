import type { z } from 'zod';
import type { Route } from './define-route.ts';
import { badRequest } from './http/problem.ts';
import { takesOf } from './parameters/described.ts';

/** Reads the path and query parameters for a handler; throws 400 for the first that is refused. */
export function readInput(
  route: Route,
  params: { [name: string]: string | undefined },
  query: { [name: string]: string },
): { [name: string]: unknown } {
  return { ...read(route.params, params), ...read(route.query, query) };
}

function read(reader: z.ZodObject, values: { [name: string]: string | undefined }): { [name: string]: unknown } {
  const { success, data, error } = reader.safeParse(values);
  if (success) return data;
  const [issue] = error.issues;
  const name = String(issue?.path[0] ?? '');
  const takes = takesOf(reader.shape[name]);
  const detail = takes === undefined ? undefined : `${name} must be ${takes}.`;
  throw badRequest(issue?.message ?? 'Invalid Parameter', detail);
}

import { z } from 'zod';
import { RuntimeError } from './errors.ts';

type Shape = Record<string, z.ZodType>;
type Source = Record<string, string | undefined>;

/**
 * The environment by its shape. Every fault is told in one message; a variable that is empty counts as not set. A value
 * is never repeated in the message: some are secrets.
 */
export function readEnv<S extends Shape>(shape: S, source: Source): z.output<z.ZodObject<S>> {
  const given = Object.keys(shape).map((name) => [name, source[name]?.trim() || undefined]);
  const read = z.object(shape).safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  const lines = read.error.issues.map(({ path, message }) => `  ${String(path[0])}: ${message}`);
  throw new RuntimeError('env_invalid', `The environment is not right:\n${lines.join('\n')}`);
}

import { z } from 'zod';
import { RuntimeError } from './errors.ts';
import { readSecretFile } from './secret-file.ts';

type Shape = Record<string, z.ZodType>;
type Source = Record<string, string | undefined>;

/** The values of an environment of this shape. */
export type Env<S extends Shape> = z.output<z.ZodObject<S>>;

/**
 * Reads the environment by its shape. One error lists every fault; an empty variable counts as unset. The message never
 * repeats a value, because some are secrets. A variable that its shape marks as secret may be given as the path of a
 * file, in a variable of its name with the suffix `_FILE`.
 */
export function readEnv<S extends Shape>(shape: S, source: Source): Env<S> {
  const faults: string[] = [];
  const given = Object.entries(shape).map(([name, type]) => {
    const value = setValue(source, name);
    const file = type.meta()?.['secret'] === true ? setValue(source, `${name}_FILE`) : undefined;
    if (file === undefined) return [name, value];
    if (value !== undefined) faults.push(`  ${name}: set it or ${name}_FILE, not both`);
    const read = readSecretFile(file);
    if ('fault' in read) faults.push(`  ${name}_FILE: ${read.fault}`);
    return [name, 'value' in read ? read.value : undefined];
  });
  const read = z.object(shape).safeParse(Object.fromEntries(given));
  if (!read.success) faults.push(...read.error.issues.map(({ path, message }) => `  ${String(path[0])}: ${message}`));
  if (read.success && faults.length === 0) return read.data;
  throw new RuntimeError('env_invalid', `The environment is invalid:\n${faults.join('\n')}`);
}

function setValue(source: Source, name: string): string | undefined {
  return source[name]?.trim() || undefined;
}

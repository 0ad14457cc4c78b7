import { CliError } from './errors.ts';

/**
 * Reads a secret from the environment, as other users of the machine can read the command line.
 * @throws {CliError} usage, when the variable is not set or empty
 */
export function readVariable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new CliError('usage', `The environment variable ${name} is not set.`);
}

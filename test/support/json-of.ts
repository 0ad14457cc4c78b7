import { expect } from 'vitest';
import type { Ran } from './command.ts';

/** Returns the document that a command prints with `--json`, once it has ended with this code and without an error. */
// oxlint-disable-next-line typescript/no-explicit-any -- of whatever shape that command prints
export async function jsonOf(running: Promise<Ran>, code = 0): Promise<any> {
  const { stdout, stderr, code: ended } = await running;
  expect({ stderr, code: ended }).toEqual({ stderr: '', code });
  return JSON.parse(stdout);
}

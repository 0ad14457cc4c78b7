import type { ListResult } from './interpret-answer.ts';

/** Why a list carries an address, and since when it did not repeat that; or why it did not answer. */
export function reasonOf({ reason, failure, unconfirmed }: ListResult): string | undefined {
  if (!unconfirmed) return reason ?? failure;
  const note = `not confirmed since ${unconfirmed.since.slice(0, 10)}: ${unconfirmed.failure}`;
  return reason === undefined ? note : `${reason} (${note})`;
}

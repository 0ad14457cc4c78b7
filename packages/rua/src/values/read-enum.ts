import type { Warn } from './warn.ts';

/** Words of an enumeration by their spelling, with the warning for a spelling that is not its own. */
export type Words<T extends string> = ReadonlyMap<string, { value: T; code?: string }>;

export function words<T extends string>(
  values: readonly T[],
  others: { [spelling: string]: { value: T; code: string } } = {},
): Words<T> {
  return new Map<string, { value: T; code?: string }>([
    ...values.map((value): [string, { value: T }] => [value, { value }]),
    ...Object.entries(others),
  ]);
}

/** The value of a word in any case (`enum_case`); undefined for an unknown word. */
export function readEnum<T extends string>(text: string, table: Words<T>, warn: Warn): T | undefined {
  const exact = table.get(text);
  if (exact && !exact.code) return exact.value;
  const lower = text.toLowerCase();
  const found = table.get(lower);
  if (found?.code) warn(found.code, lower);
  else if (found && lower !== text) warn('enum_case');
  return found?.value;
}

export type DisplaySeverity = 'neutral' | 'success' | 'info' | 'warning' | 'critical';

/** One value of a vocabulary: its code in data, and its label for people. Codes are stable, labels are not. */
export interface EnumEntry<Code extends string = string> {
  code: Code;
  label: string;
  severity: DisplaySeverity;
}

/** Creates a vocabulary from a table: code, label, severity. */
export function entries<const Code extends string>(
  rows: readonly (readonly [Code, string, DisplaySeverity])[],
): EnumEntry<Code>[] {
  return rows.map(([code, label, severity]) => ({ code, label, severity }));
}

/** Returns the codes of a vocabulary, in its order. */
export function codesOf<Code extends string>(list: readonly EnumEntry<Code>[]): [Code, ...Code[]] {
  const [first, ...rest] = list.map(({ code }) => code);
  if (first === undefined) throw new RangeError('A vocabulary has at least one code.');
  return [first, ...rest];
}

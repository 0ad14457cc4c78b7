const SHOWN = 5;

/** The first few pairs that differ, both sides as JSON; a message with thousands would help no reader. */
export function firstDifferences(found: readonly unknown[], expected: readonly unknown[]): unknown[] {
  const differing: unknown[] = [];
  for (let i = 0; i < Math.max(found.length, expected.length) && differing.length < SHOWN; i += 1) {
    const [one, other] = [sorted(found[i]), sorted(expected[i])];
    if (JSON.stringify(one) !== JSON.stringify(other)) differing.push({ found: one, expected: other });
  }
  return differing;
}

/** With its fields in alphabetical order, and without those that are undefined. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
}

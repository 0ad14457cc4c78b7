/** Fails for what no table and no JSON can hold: a NUL, half a surrogate pair, a number that is none or not exact. */
export function checkStorable(value: unknown, path = 'result'): void {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    throw new Error(`${path} cannot be stored: ${JSON.stringify(value.slice(0, 80))}`);
  if (typeof value === 'number' && (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value)))
    throw new Error(`${path} is no exact number: ${value}`);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || value instanceof Error) return;
  const entries: Iterable<[unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  for (const [name, part] of entries) checkStorable(part, `${path}.${String(name)}`);
}

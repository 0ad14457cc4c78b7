/** An answer that fits, and what was left out of it. */
interface Shortened {
  text: string;
  /** For each list that was shortened, what is left of it. */
  cuts: string[];
}

interface List {
  path: string;
  items: unknown[];
}

/**
 * Shortens the longest lists of a JSON answer, each time to half, until its text has at most so many characters: what
 * is no list, such as a verdict, stays whole. Of items in the order of their dates the last stay, of others the first.
 * Returns undefined where that does not help, or for a text that is no whole JSON.
 */
export function shorten(answer: string, most: number): Shortened | undefined {
  const value = parsed(answer);
  const lengths = new Map(listsIn(value, '').map(({ items }) => [items, items.length]));
  for (;;) {
    const text = JSON.stringify(value);
    if (text === undefined) return undefined;
    const lists = listsIn(value, '').map((list) => ({ ...list, length: lengths.get(list.items) ?? 0 }));
    const cut = lists.filter(({ items, length }) => items.length < length);
    if (text.length <= most) return { text, cuts: cut.map(describe) };
    const longest = lists.reduce<List | undefined>(
      (found, list) => (list.items.length > (found?.items.length ?? 1) ? list : found),
      undefined,
    );
    if (!longest) return undefined;
    const { items } = longest;
    const left = Math.floor(items.length / 2);
    if (isByDate(items)) items.splice(0, items.length - left);
    else items.splice(left);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every list in a value, with its place, such as `stages[2].senders`. */
function listsIn(value: unknown, path: string): List[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value))
    return Object.entries(value).flatMap(([name, inner]) => listsIn(inner, path ? `${path}.${name}` : name));
  const inner = value.flatMap((item, i) => listsIn(item, `${path}[${i}]`));
  return [{ path, items: value }, ...inner];
}

function describe({ path, items, length }: List & { length: number }): string {
  return `${path} has the ${isByDate(items) ? 'last' : 'first'} ${items.length} of ${length}`;
}

function isByDate(items: readonly unknown[]): boolean {
  const [first, last] = [dateOf(items[0]), dateOf(items.at(-1))];
  return first !== undefined && last !== undefined && first <= last;
}

function dateOf(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null && 'date' in item && typeof item.date === 'string'
    ? item.date
    : undefined;
}

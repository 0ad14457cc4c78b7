/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface Random {
  /** A whole number from 0 to below the limit. */
  below(limit: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}

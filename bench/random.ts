/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[below(random, from.length)]!;
}

/** A number from 1 up, the larger the rarer. */
export function geometric(random: Random, mean: number): number {
  return 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / mean));
}

/** Draws from a list whose first entries are the busiest: the chance of the k-th goes with 1 / k^exponent. */
export function zipf<T>(from: readonly T[], exponent: number): (random: Random) => T {
  const upTo = new Float64Array(from.length);
  let sum = 0;
  for (let i = 0; i < from.length; i += 1) upTo[i] = sum += (i + 1) ** -exponent;
  return (random) => {
    const wanted = random() * sum;
    let [low, high] = [0, from.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle]! <= wanted) low = middle + 1;
      else high = middle;
    }
    return from[low]!;
  };
}

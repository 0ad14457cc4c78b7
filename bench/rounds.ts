import { sumOf, type Cost } from './cpu.ts';

/** The middle of several rounds, and how far they lie apart. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Comparison {
  a: Cost;
  b: Cost;
  /** Of what a costs to what b costs, round by round. */
  ratio: Spread;
}

/** Runs both in turn, the order swapped each round, after a round that does not count. */
export async function compare(rounds: number, a: () => Promise<Cost>, b: () => Promise<Cost>): Promise<Comparison> {
  const [ofA, ofB]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const isSwapped = round % 2 === 1;
    const first = await (isSwapped ? b : a)();
    const second = await (isSwapped ? a : b)();
    if (round === 0) continue;
    ofA.push(isSwapped ? second : first);
    ofB.push(isSwapped ? first : second);
  }
  return { a: middleCost(ofA), b: middleCost(ofB), ratio: spread(ofA.map((cost, i) => sumOf(cost) / sumOf(ofB[i]!))) };
}

/** The same number of rounds of something that has no other side. */
export async function repeat<T>(rounds: number, work: () => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const result = await work();
    if (round > 0) found.push(result);
  }
  return found;
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export function middleCost(costs: readonly Cost[]): Cost {
  const middle = (of: keyof Cost) => median(costs.map((cost) => cost[of]));
  return { client: middle('client'), server: middle('server'), wall: middle('wall') };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

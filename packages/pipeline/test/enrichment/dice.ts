import { createHash } from 'node:crypto';

/** A number from 0 to 9,999 that depends only on the address and the question. */
export function dice(index: number, question: string): number {
  const key = `${index}:${question}`;
  const thrown = throws.get(key) ?? createHash('sha256').update(key).digest().readUInt32BE(0) % 10_000;
  throws.set(key, thrown);
  return thrown;
}

const throws = new Map<string, number>();

/** One of these, each with its share of 10,000; the last takes the rest. */
export function pick<Kind>(
  index: number,
  question: string,
  shares: readonly (readonly [share: number, kind: Kind])[],
): Kind {
  let left = dice(index, question);
  for (const [share, kind] of shares) if ((left -= share) < 0) return kind;
  return shares.at(-1)![1];
}

export function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

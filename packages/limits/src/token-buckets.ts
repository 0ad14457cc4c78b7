import { LRUCache } from 'lru-cache';
import type { BucketRule } from './rules.ts';

const KEPT = 100_000;

interface Level {
  tokens: number;
  at: number;
}

/** Token buckets in memory; a bucket without an entry is full. */
export class TokenBuckets {
  readonly #levels = new LRUCache<string, Level>({ max: KEPT });

  /** The number of tokens at an instant in milliseconds. */
  tokens(name: string, { perSecond, burst }: BucketRule, now: number): number {
    const level = this.#levels.get(name);
    if (!level) return burst;
    return Math.min(burst, level.tokens + (Math.max(0, now - level.at) * perSecond) / 1000);
  }

  /** Seconds until there is a token; 0 if there is one. */
  wait(name: string, rule: BucketRule, now: number): number {
    const tokens = this.tokens(name, rule, now);
    return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / rule.perSecond)) : 0;
  }

  /** Takes a token even if there is none: a debt, at most the size of the bucket. */
  take(name: string, rule: BucketRule, now: number): void {
    const tokens = Math.max(-rule.burst, this.tokens(name, rule, now) - 1);
    this.#levels.set(name, { tokens, at: now });
  }
}

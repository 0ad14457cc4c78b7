import { LRUCache } from 'lru-cache';
import type { BucketRule } from './rules.ts';

const KEPT = 100_000;

interface Level {
  tokens: number;
  at: number;
}

/** Buckets of tokens in memory; one that was forgotten is full again. */
export class TokenBuckets {
  readonly #levels = new LRUCache<string, Level>({ max: KEPT });

  /** How many tokens are there, at an instant in milliseconds. */
  tokens(name: string, { perSecond, burst }: BucketRule, now: number): number {
    const level = this.#levels.get(name);
    if (!level) return burst;
    return Math.min(burst, level.tokens + (Math.max(0, now - level.at) * perSecond) / 1000);
  }

  /** Seconds until there is one; 0 when there is. */
  wait(name: string, rule: BucketRule, now: number): number {
    const tokens = this.tokens(name, rule, now);
    return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / rule.perSecond)) : 0;
  }

  /** Takes one, also where there is none: a debt, at most a bucket deep. */
  take(name: string, rule: BucketRule, now: number): void {
    const tokens = Math.max(-rule.burst, this.tokens(name, rule, now) - 1);
    this.#levels.set(name, { tokens, at: now });
  }
}

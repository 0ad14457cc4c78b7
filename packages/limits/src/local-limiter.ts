import { HeavyWork } from './heavy-work.ts';
import type { Admission, Demand, Leave, Limiter, LimiterOptions, LimiterStatus } from './limiter.ts';
import { rulesOf, type BucketRule, type Rules } from './rules.ts';
import { HourUsages, usedOf } from './hour-usage.ts';
import { Tally, type UsageBatch, type UsageKey } from './tally.ts';
import { TokenBuckets } from './token-buckets.ts';

const HOUR_SECONDS = 3600;

/** Decides in process, without knowledge of other processes: each of several allows a whole quota. */
export class LocalLimiter implements Limiter {
  readonly rules: Rules;
  readonly tally = new Tally();
  readonly usages: HourUsages;
  readonly #buckets = new TokenBuckets();
  readonly #work = new HeavyWork();
  readonly #now: () => Date;

  constructor({ recorded, now = () => new Date(), ...limits }: LimiterOptions) {
    this.rules = rulesOf(limits);
    this.usages = new HourUsages(recorded);
    this.#now = now;
  }

  admit = async (demand: Demand): Promise<Admission> => {
    const { orgId, keyId, quota, metered } = demand;
    const ms = this.#now().getTime();
    const now = Math.floor(ms / 1000);
    const hour = Math.floor(now / HOUR_SECONDS);
    const window = { limit: quota, used: 0, hour, now };
    const wait = this.#passBuckets(demand, ms);
    if (wait > 0) {
      this.tally.add({ orgId, keyId, hour }, 'rejected');
      return { outcome: 'rate_limited', window, retryAfter: wait };
    }
    if (!metered) return { outcome: 'admitted', window, retryAfter: 0 };
    const usage = await this.usages.of(orgId, hour);
    const used = usedOf(usage);
    if (quota !== null && used >= quota) {
      this.tally.add({ orgId, keyId, hour }, 'rejected');
      return { outcome: 'quota_exceeded', window: { ...window, used }, retryAfter: (hour + 1) * HOUR_SECONDS - now };
    }
    usage.local += 1;
    this.tally.add({ orgId, keyId, hour }, 'requests');
    return { outcome: 'admitted', window: { ...window, used: used + 1 }, retryAfter: 0 };
  };

  enter = async (orgId: string, { capped }: { capped: boolean }): Promise<Leave | undefined> => {
    if (capped && this.#work.of(orgId) >= this.rules.slots) return undefined;
    this.#buckets.take(heavyBucket(orgId), this.rules.heavy, this.#now().getTime());
    return this.#work.begin(orgId);
  };

  /** Counts heavy work that the shared limiter has admitted. */
  begin(orgId: string, onLeave: () => void): Leave {
    return this.#work.begin(orgId, onLeave);
  }

  noteUse = (key: { orgId: string; keyId: string }, at: Date): void => this.tally.noteUse(key, at);

  noteError = (key: UsageKey): void => this.tally.add(key, 'errors');

  batches = async (): Promise<UsageBatch[]> => this.tally.batches();

  settle = async (id: string): Promise<void> => void this.tally.settle(id);

  status = (): LimiterStatus => ({ isDegraded: false, isRedisUp: undefined, heavyInFlight: this.#work.all });

  close = async (): Promise<void> => {};

  /** Takes a token from each bucket if all have one; else takes none, and returns the seconds until they do. */
  #passBuckets({ orgId, keyId, heavy }: Demand, ms: number): number {
    const taken: [string, BucketRule][] = [
      [`key:${orgId}:${keyId}`, this.rules.key],
      [`org:${orgId}`, this.rules.org],
    ];
    const asked: typeof taken = heavy ? [...taken, [heavyBucket(orgId), this.rules.heavy]] : taken;
    const wait = Math.max(...asked.map(([name, rule]) => this.#buckets.wait(name, rule, ms)));
    if (wait === 0) for (const [name, rule] of taken) this.#buckets.take(name, rule, ms);
    return wait;
  }
}

function heavyBucket(orgId: string): string {
  return `heavy:${orgId}`;
}

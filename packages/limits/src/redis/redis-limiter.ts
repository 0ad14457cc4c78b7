import { newId, present } from '@dmarc-ledger/vocabulary';
import type { Admission, Demand, Leave, Limiter, LimiterOptions, LimiterStatus } from '../limiter.ts';
import { LocalLimiter } from '../local-limiter.ts';
import { reportable, usedOf, type HourUsage } from '../hour-usage.ts';
import type { UsageBatch, UsageKey } from '../tally.ts';
import { dropJournal, OPEN_JOURNAL, readJournals } from './journal.ts';
import { Line, type Heard, type Patience } from './line.ts';
import { withScripts, type AdmitReply } from './scripted.ts';
import { SharedUsage } from './shared-usage.ts';

/** Longer than any heavy work takes: a lease that nobody gave back is free again then. */
const LEASE_MS = 40_000;
/** A quota with so few requests or such a part left is close to its end. */
const CLOSE_REQUESTS = 100;
const CLOSE_PART = 0.2;
const OUTCOMES = ['admitted', 'rate_limited', 'quota_exceeded'] as const;
const UNKNOWN_HOUR = 3;
const MODE = { abuse: 0, all: 1, counter: 2 } as const;

export interface RedisLimiterOptions extends LimiterOptions {
  redisUrl: string;
  /** How long a decision may wait for Redis. */
  patience: Patience;
  onDegraded: () => void;
  onRestored: () => void;
}

/** What becomes of a question that was given up. */
interface Fate {
  isKnown: boolean;
  /** Where its request is counted here meanwhile. */
  counted?: HourUsage;
}

/** Decides in Redis, together with all who do; in process while Redis is away. */
export class RedisLimiter implements Limiter {
  readonly #local: LocalLimiter;
  readonly #usages: SharedUsage;
  readonly #line: Line;
  readonly #redis: ReturnType<typeof withScripts>;
  /** The name under which the shared counters hold what this process let pass by itself. */
  readonly #process = newId();

  constructor({ redisUrl, patience, onDegraded, onRestored, ...options }: RedisLimiterOptions) {
    this.#local = new LocalLimiter(options);
    this.#usages = new SharedUsage(this.#local.usages);
    const onUp = () => {
      onRestored();
      void this.#tellAll();
    };
    this.#line = new Line(redisUrl, patience, { onUp, onDown: onDegraded });
    this.#redis = withScripts(this.#line.redis);
  }

  /** Waits for the first connection, or for its failure. */
  async open(): Promise<this> {
    await this.#line.settled();
    return this;
  }

  admit = async (demand: Demand): Promise<Admission> => {
    const fate: Fate = { isKnown: false };
    const heard = await this.#askAdmission(demand, fate);
    if (typeof heard === 'string') return await this.#admitHere(demand, fate, heard === 'unsure');
    const [outcome, hour, now, retryAfter, used] = heard.reply;
    const window = { limit: demand.quota, used, hour, now };
    return { outcome: present(OUTCOMES[outcome]), window, retryAfter };
  };

  enter = async (orgId: string, work: { capped: boolean }): Promise<Leave | undefined> => {
    const { heavy, slots } = this.#local.rules;
    const [key, lease] = [`limits:{${orgId}}:slots`, newId()];
    const giveBack = () => void this.#redis.zrem(key, lease).catch(() => {}); // it expires
    const values = [work.capped ? slots : 0, lease, LEASE_MS, heavy.perSecond, heavy.burst];
    const send = () => this.#redis.enter(key, `limits:{${orgId}}:heavy`, ...values);
    const heard = await this.#line.ask(send, giveBack);
    if (typeof heard === 'string') return await this.#local.enter(orgId, work);
    return heard.reply === 1 ? this.#local.begin(orgId, work.capped ? giveBack : () => {}) : undefined;
  };

  noteUse = (key: { orgId: string; keyId: string }, at: Date): void => this.#local.noteUse(key, at);

  noteError = (key: UsageKey): void => this.#local.noteError(key);

  /** With the journals of processes that are no more. Those stay in Redis while it is away. */
  batches = async (): Promise<UsageBatch[]> => {
    const own = await this.#local.batches();
    if (!this.#line.isUp) return own;
    return [...own, ...(await readJournals(this.#redis).catch(() => []))];
  };

  settle = async (id: string): Promise<void> => {
    if (this.#local.tally.settle(id)) return;
    await dropJournal(this.#redis, id).catch(() => {}); // it will be read again, and found to be written
  };

  status = (): LimiterStatus => ({
    ...this.#local.status(),
    isDegraded: !this.#line.isServing,
    isRedisUp: this.#line.isUp,
  });

  close = async (): Promise<void> => this.#line.close();

  async #askAdmission(demand: Demand, fate: Fate): Promise<Heard<AdmitReply>> {
    for (;;) {
      const heard = await this.#ask(demand, demand.metered ? 'all' : 'abuse', fate);
      if (typeof heard === 'string' || heard.reply[0] !== UNKNOWN_HOUR) return heard;
      await this.#local.usages.of(demand.orgId, heard.reply[1]);
    }
  }

  async #admitHere(demand: Demand, fate: Fate, isUnsure: boolean): Promise<Admission> {
    const admission = await this.#local.admit(demand);
    const { outcome, window } = admission;
    if (!isUnsure || fate.isKnown || !demand.metered || outcome !== 'admitted') return admission;
    fate.counted = this.#local.usages.known(demand.orgId, window.hour);
    if (fate.counted) fate.counted.unsure += 1;
    return admission;
  }

  async #ask(demand: Demand, mode: keyof typeof MODE, fate: Fate): Promise<Heard<AdmitReply>> {
    const { orgId, keyId, quota, heavy } = demand;
    const tag = `limits:{${orgId}}`;
    const { rules } = this.#local;
    const reported = this.#usages.tell(orgId);
    const keys = [`${tag}:used:`, `${tag}:key:${keyId}`, `${tag}:org`, `${tag}:heavy`, OPEN_JOURNAL];
    const rates = [rules.key, rules.org, rules.heavy].flatMap(({ perSecond, burst }) => [perSecond, burst]);
    const known = [reported.hour, reported.counterId, reported.seen, reportable(reported), reported.reported];
    const names = [this.#process, newId(), `${orgId}:${keyId}`];
    const values = [quota ?? -1, MODE[mode], heavy ? 1 : 0, ...rates, ...known, ...names];
    const send = () =>
      this.#redis.admit(...keys, ...values).then((reply) => this.#usages.heard(orgId, reported, reply));
    const late = (reply: AdmitReply | undefined) => {
      fate.isKnown = true;
      if (fate.counted) fate.counted.unsure -= 1;
      if (reply) this.#takeBack(demand, mode, reply);
    };
    return await this.#line.ask(send, late, mode === 'all' && this.#isClose(demand));
  }

  /** Whether the quota may be used up by what this process does not know of yet. */
  #isClose({ orgId, quota }: Demand): boolean {
    if (quota === null) return false;
    const usage = this.#local.usages.latest(orgId);
    return usage === undefined || quota - usedOf(usage) <= Math.max(CLOSE_REQUESTS, quota * CLOSE_PART);
  }

  /** Redis has counted after all what was decided and counted here: ours is taken back. */
  #takeBack({ orgId, keyId }: Demand, mode: keyof typeof MODE, [outcome, hour]: AdmitReply): void {
    if (mode === 'counter' || outcome === UNKNOWN_HOUR) return;
    if (outcome !== 0) return this.#local.tally.add({ orgId, keyId, hour }, 'rejected', -1);
    if (mode === 'abuse') return;
    this.#local.tally.add({ orgId, keyId, hour }, 'requests', -1);
    const usage = this.#local.usages.known(orgId, hour);
    if (usage) usage.local -= 1;
  }

  /** Adds what was counted while Redis was away. What fails is reported with the organization's next request. */
  async #tellAll(): Promise<void> {
    for (const { orgId } of this.#local.usages.unreported()) {
      await this.#ask({ orgId, keyId: '', quota: null, metered: false, heavy: false }, 'counter', { isKnown: false });
    }
  }
}

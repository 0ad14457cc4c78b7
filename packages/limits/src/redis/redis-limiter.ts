import { newId, present } from '@dmarc-ledger/vocabulary';
import type { Admission, Demand, Leave, Limiter, LimiterOptions, LimiterStatus } from '../limiter.ts';
import { LocalLimiter } from '../local-limiter.ts';
import { reportable, usedOf, type HourUsage } from '../hour-usage.ts';
import type { UsageBatch, UsageKey } from '../tally.ts';
import { dropJournal, OPEN_JOURNAL, readJournals } from './journal.ts';
import { RedisConnection, type AskResult, type Patience } from './redis-connection.ts';
import { withScripts, type AdmitReply } from './scripted.ts';
import { SharedUsage } from './shared-usage.ts';

/** Longer than any heavy work takes: a lease that was not released expires then. */
const LEASE_MS = 40_000;
/** A quota with so few requests or such a part left is nearly used up. */
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

/** The handling of a question that was given up. */
interface GivenUp {
  isKnown: boolean;
  /** Where its request is counted in this process meanwhile. */
  counted?: HourUsage;
}

/** Decides in Redis, shared with other processes; in process while Redis is unavailable. */
export class RedisLimiter implements Limiter {
  readonly #local: LocalLimiter;
  readonly #usages: SharedUsage;
  readonly #connection: RedisConnection;
  readonly #redis: ReturnType<typeof withScripts>;
  /** The name under which the shared counters store what this process admitted by itself. */
  readonly #process = newId();

  constructor({ redisUrl, patience, onDegraded, onRestored, ...options }: RedisLimiterOptions) {
    this.#local = new LocalLimiter(options);
    this.#usages = new SharedUsage(this.#local.usages);
    const onUp = () => {
      onRestored();
      void this.#reportAll();
    };
    this.#connection = new RedisConnection(redisUrl, patience, { onUp, onDown: onDegraded });
    this.#redis = withScripts(this.#connection.redis);
  }

  /** Waits for the first connection, or for its failure. */
  async open(): Promise<this> {
    await this.#connection.settled();
    return this;
  }

  admit = async (demand: Demand): Promise<Admission> => {
    const givenUp: GivenUp = { isKnown: false };
    const asked = await this.#askAdmission(demand, givenUp);
    if (typeof asked === 'string') return await this.#admitHere(demand, givenUp, asked === 'unsure');
    const [outcome, hour, now, retryAfter, used] = asked.reply;
    const window = { limit: demand.quota, used, hour, now };
    return { outcome: present(OUTCOMES[outcome]), window, retryAfter };
  };

  enter = async (orgId: string, work: { capped: boolean }): Promise<Leave | undefined> => {
    const { heavy, slots } = this.#local.rules;
    const [key, lease] = [`limits:{${orgId}}:slots`, newId()];
    const giveBack = () => void this.#redis.zrem(key, lease).catch(() => {}); // it expires
    const values = [work.capped ? slots : 0, lease, LEASE_MS, heavy.perSecond, heavy.burst];
    const send = () => this.#redis.enter(key, `limits:{${orgId}}:heavy`, ...values);
    const asked = await this.#connection.ask(send, giveBack);
    if (typeof asked === 'string') return await this.#local.enter(orgId, work);
    return asked.reply === 1 ? this.#local.begin(orgId, work.capped ? giveBack : () => {}) : undefined;
  };

  noteUse = (key: { orgId: string; keyId: string }, at: Date): void => this.#local.noteUse(key, at);

  noteError = (key: UsageKey): void => this.#local.noteError(key);

  /** Includes the journals of ended processes. Those stay in Redis while it is unavailable. */
  batches = async (): Promise<UsageBatch[]> => {
    const own = await this.#local.batches();
    if (!this.#connection.isUp) return own;
    return [...own, ...(await readJournals(this.#redis).catch(() => []))];
  };

  settle = async (id: string): Promise<void> => {
    if (this.#local.tally.settle(id)) return;
    await dropJournal(this.#redis, id).catch(() => {}); // it is read again, and found to be stored
  };

  status = (): LimiterStatus => ({
    ...this.#local.status(),
    isDegraded: !this.#connection.isServing,
    isRedisUp: this.#connection.isUp,
  });

  close = async (): Promise<void> => this.#connection.close();

  async #askAdmission(demand: Demand, givenUp: GivenUp): Promise<AskResult<AdmitReply>> {
    for (;;) {
      const asked = await this.#ask(demand, demand.metered ? 'all' : 'abuse', givenUp);
      if (typeof asked === 'string' || asked.reply[0] !== UNKNOWN_HOUR) return asked;
      await this.#local.usages.of(demand.orgId, asked.reply[1]);
    }
  }

  async #admitHere(demand: Demand, givenUp: GivenUp, isUnsure: boolean): Promise<Admission> {
    const admission = await this.#local.admit(demand);
    const { outcome, window } = admission;
    if (!isUnsure || givenUp.isKnown || !demand.metered || outcome !== 'admitted') return admission;
    givenUp.counted = this.#local.usages.known(demand.orgId, window.hour);
    if (givenUp.counted) givenUp.counted.unsure += 1;
    return admission;
  }

  async #ask(demand: Demand, mode: keyof typeof MODE, givenUp: GivenUp): Promise<AskResult<AdmitReply>> {
    const { orgId, keyId, quota, heavy } = demand;
    const tag = `limits:{${orgId}}`;
    const { rules } = this.#local;
    const reported = this.#usages.toReport(orgId);
    const keys = [`${tag}:used:`, `${tag}:key:${keyId}`, `${tag}:org`, `${tag}:heavy`, OPEN_JOURNAL];
    const rates = [rules.key, rules.org, rules.heavy].flatMap(({ perSecond, burst }) => [perSecond, burst]);
    const known = [reported.hour, reported.counterId, reported.seen, reportable(reported), reported.reported];
    const names = [this.#process, newId(), `${orgId}:${keyId}`];
    const values = [quota ?? -1, MODE[mode], heavy ? 1 : 0, ...rates, ...known, ...names];
    const send = () =>
      this.#redis.admit(...keys, ...values).then((reply) => this.#usages.record(orgId, reported, reply));
    const late = (reply: AdmitReply | undefined) => {
      givenUp.isKnown = true;
      if (givenUp.counted) givenUp.counted.unsure -= 1;
      if (reply) this.#takeBack(demand, mode, reply);
    };
    return await this.#connection.ask(send, late, mode === 'all' && this.#isClose(demand));
  }

  /** Whether usage that this process does not know of yet may have used up the quota. */
  #isClose({ orgId, quota }: Demand): boolean {
    if (quota === null) return false;
    const usage = this.#local.usages.latest(orgId);
    return usage === undefined || quota - usedOf(usage) <= Math.max(CLOSE_REQUESTS, quota * CLOSE_PART);
  }

  /** Redis has counted a request that was decided and counted here: removes the local count. */
  #takeBack({ orgId, keyId }: Demand, mode: keyof typeof MODE, [outcome, hour]: AdmitReply): void {
    if (mode === 'counter' || outcome === UNKNOWN_HOUR) return;
    if (outcome !== 0) return this.#local.tally.add({ orgId, keyId, hour }, 'rejected', -1);
    if (mode === 'abuse') return;
    this.#local.tally.add({ orgId, keyId, hour }, 'requests', -1);
    const usage = this.#local.usages.known(orgId, hour);
    if (usage) usage.local -= 1;
  }

  /**
   * Reports what was counted while Redis was unavailable. What fails is reported with the organization's next request.
   */
  async #reportAll(): Promise<void> {
    for (const { orgId } of this.#local.usages.unreported()) {
      await this.#ask({ orgId, keyId: '', quota: null, metered: false, heavy: false }, 'counter', { isKnown: false });
    }
  }
}

import type { UsageBatch, UsageKey } from './tally.ts';

/** A request whose key is known. */
export interface Demand {
  orgId: string;
  keyId: string;
  /** Requests an hour that the organization's plan allows; null: no quota. */
  quota: number | null;
  /** False for a request that its permission refuses anyway: it is held to the abuse limits alone and not counted. */
  metered: boolean;
  /** Whether the heavy budget has to have something left. */
  heavy: boolean;
}

/** The clock hour in UTC that a request falls into, and how it stands with the request in it. */
export interface Window {
  /** Requests that may be made in it; null without a quota. */
  limit: number | null;
  used: number;
  /** Hours since the counterId. */
  hour: number;
  /** When the decision was made, in counterId seconds. */
  now: number;
}

export interface Admission {
  outcome: 'admitted' | 'rate_limited' | 'quota_exceeded';
  window: Window;
  /** Seconds after which another try may succeed; 0 for an admitted request. */
  retryAfter: number;
}

/** Gives a slot back; more than once does no harm. */
export type Leave = () => void;

export interface LimiterStatus {
  /** Decisions are made in process although they should be shared. */
  isDegraded: boolean;
  /** Undefined where no Redis is used. */
  isRedisUp: boolean | undefined;
  /** Heavy work under way in this process. */
  heavyInFlight: number;
}

/** Decides about requests, and counts what it decided. */
export interface Limiter {
  /** Never fails for a Redis that is away; fails when the database does that tells where an hour stands. */
  admit: (demand: Demand) => Promise<Admission>;
  /** Begins heavy work, which the heavy budget pays for; undefined when it is capped and all slots are taken. */
  enter: (orgId: string, work: { capped: boolean }) => Promise<Leave | undefined>;
  /** A key has opened the door. */
  noteUse: (key: { orgId: string; keyId: string }, at: Date) => void;
  /** An answer of 500 or above. */
  noteError: (key: UsageKey) => void;
  /** What has been counted and is not settled yet; the same batch again until it is. */
  batches: () => Promise<UsageBatch[]>;
  /** The batch has been written down. */
  settle: (id: string) => Promise<void>;
  status: () => LimiterStatus;
  close: () => Promise<void>;
}

export interface LimiterOptions {
  abusePerMinute: number;
  heavyConcurrency: number;
  /** How many requests of an organization in an hour are on record; asked when nothing else knows. */
  recorded: (orgId: string, hour: number) => Promise<number>;
  now?: () => Date;
}

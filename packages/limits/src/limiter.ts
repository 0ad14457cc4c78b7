import type { UsageBatch, UsageKey } from './tally.ts';

/** A request whose key is known. */
export interface Demand {
  orgId: string;
  keyId: string;
  /** Requests an hour that the organization's plan allows; null: no quota. */
  quota: number | null;
  /** False for a request that its permission refuses anyway: only abuse limits apply to it, and it is not counted. */
  metered: boolean;
  /** Whether the heavy budget must have something left. */
  heavy: boolean;
}

/** The clock hour in UTC of a request, and its usage with the request included. */
export interface Window {
  /** The number of requests allowed in it; null without a quota. */
  limit: number | null;
  used: number;
  /** Hours since 1970-01-01 00:00 UTC. */
  hour: number;
  /** When the decision was made, in epoch seconds. */
  now: number;
}

export interface Admission {
  outcome: 'admitted' | 'rate_limited' | 'quota_exceeded';
  window: Window;
  /** Seconds after which a retry may succeed; 0 for an admitted request. */
  retryAfter: number;
}

/** Releases a slot; calling it again changes nothing. */
export type Leave = () => void;

export interface LimiterStatus {
  /** True while decisions that should be shared are made in process. */
  isDegraded: boolean;
  /** Undefined if no Redis is used. */
  isRedisUp: boolean | undefined;
  /** Heavy work in progress in this process. */
  heavyInFlight: number;
}

/** Decides about requests, and counts them. */
export interface Limiter {
  /** Does not fail while Redis is unavailable; fails if the database that holds the hour's usage does. */
  admit: (demand: Demand) => Promise<Admission>;
  /** Begins heavy work, which uses the heavy budget; undefined if it is capped and all slots are taken. */
  enter: (orgId: string, work: { capped: boolean }) => Promise<Leave | undefined>;
  /** Counts a request with a valid key. */
  noteUse: (key: { orgId: string; keyId: string }, at: Date) => void;
  /** Counts a response with status 500 or above. */
  noteError: (key: UsageKey) => void;
  /** Returns the counts that are not settled yet; a batch stays the same until it is. */
  batches: () => Promise<UsageBatch[]>;
  /** To be called when the batch has been stored. */
  settle: (id: string) => Promise<void>;
  status: () => LimiterStatus;
  close: () => Promise<void>;
}

export interface LimiterOptions {
  abusePerMinute: number;
  heavyConcurrency: number;
  /** Returns the stored requests of an organization in an hour; called if they are not known otherwise. */
  recorded: (orgId: string, hour: number) => Promise<number>;
  now?: () => Date;
}

import { isVerified, type VerificationState } from '@dmarc-ledger/dns-records';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIRST = 15 * MINUTE;
const VERIFIED = 6 * HOUR;
const DAY = 24 * HOUR;
/** A number from 0 to 1 moves a time by up to this part. */
const SPREAD = 0.2;

export interface CheckedState {
  state: VerificationState;
  /** Checks in a row that got no answer. */
  failures: number;
  createdAt: Date;
  now: Date;
  /** Something bad is new, and counts when a second check says so too. */
  isDoubtful?: boolean;
  /** From 0 to 1. */
  chance: number;
}

/**
 * When a domain is looked at again: a verified one every six hours; another one soon after it was added and ever more
 * seldom, down to daily; one that answers nothing after a quarter of an hour, doubling, up to six hours; one where
 * something has gone wrong after a quarter of an hour. (rules, domain-checks/time-of-the-next-check)
 */
export function nextCheck({ state, failures, createdAt, now, chance, isDoubtful = false }: CheckedState): Date {
  const age = now.getTime() - createdAt.getTime();
  const usual = isVerified(state) ? VERIFIED : Math.min(Math.max(FIRST, age / 4), DAY);
  const wait = failures > 0 ? Math.min(FIRST * 2 ** (failures - 1), VERIFIED) : usual;
  return new Date(now.getTime() + (isDoubtful ? FIRST : wait) * (1 + SPREAD * chance));
}

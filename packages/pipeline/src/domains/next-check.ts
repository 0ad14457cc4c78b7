import { isVerified, type VerificationState } from '@dmarc-ledger/dns-records';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIRST = 15 * MINUTE;
const VERIFIED = 6 * HOUR;
const DAY = 24 * HOUR;
/** The largest part by which a random number from 0 to 1 moves a time. */
const SPREAD = 0.2;

export interface CheckedState {
  state: VerificationState;
  /** Consecutive checks that got no answer. */
  failures: number;
  createdAt: Date;
  now: Date;
  /** A new bad finding that counts only once a second check confirms it. */
  isDoubtful?: boolean;
  /** From 0 to 1. */
  chance: number;
}

/**
 * When a domain is checked again. A verified domain: every six hours. Another one: soon after it was added, then less
 * and less often, down to daily. A domain that does not answer: after a quarter of an hour, doubling up to six hours. A
 * domain with a new fault: after a quarter of an hour. (rules, domain-checks/time-of-the-next-check)
 */
export function nextCheck({ state, failures, createdAt, now, chance, isDoubtful = false }: CheckedState): Date {
  const age = now.getTime() - createdAt.getTime();
  const usual = isVerified(state) ? VERIFIED : Math.min(Math.max(FIRST, age / 4), DAY);
  const wait = failures > 0 ? Math.min(FIRST * 2 ** (failures - 1), VERIFIED) : usual;
  return new Date(now.getTime() + (isDoubtful ? FIRST : wait) * (1 + SPREAD * chance));
}

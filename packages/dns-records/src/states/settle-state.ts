import type { VerificationState } from './verification.ts';

/** A displayed state, with what is needed to change it. */
export interface KeptState {
  state: VerificationState;
  /** When the current verified state was first reached; null otherwise. */
  verifiedAt: Date | null;
  /** Consecutive checks without an answer, and when the last one counted. */
  failures: number;
  failedAt: Date | null;
}

const FAILURES = 3;
const APART_MS = 15 * 60_000;

/**
 * Returns the state after a check. A check without an answer changes nothing unless it is the third in a row, each at
 * least a quarter of an hour after the previous; only a state that was never checked is replaced at once. (rules,
 * domain-checks/changes-of-a-state)
 */
export function settleState(kept: KeptState, seen: VerificationState, now: Date): KeptState {
  if (seen !== 'unconfirmed') return settled(kept, seen, now);
  const isApart = kept.failedAt === null || now.getTime() - kept.failedAt.getTime() >= APART_MS;
  const failures = isApart ? kept.failures + 1 : kept.failures;
  const failedAt = isApart ? now : kept.failedAt;
  const isOver = kept.state === 'pending' || failures >= FAILURES;
  return { ...kept, failures, failedAt, state: isOver ? 'unconfirmed' : kept.state };
}

function settled(kept: KeptState, state: VerificationState, now: Date): KeptState {
  const wasVerified = kept.verifiedAt !== null && (isVerified(kept.state) || kept.state === 'unconfirmed');
  return {
    state,
    verifiedAt: isVerified(state) ? (wasVerified ? kept.verifiedAt : now) : null,
    failures: 0,
    failedAt: null,
  };
}

export function isVerified(state: VerificationState): boolean {
  return state === 'verified' || state === 'verified_inherited';
}

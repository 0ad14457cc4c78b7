import type { VerificationState } from './verification.ts';

/** A state as it is shown, with what it takes to change it. */
export interface KeptState {
  state: VerificationState;
  /** When the present verified state was first reached; null while there is none. */
  verifiedAt: Date | null;
  /** Checks in a row that found out nothing, and when the last of those counted. */
  failures: number;
  failedAt: Date | null;
}

const FAILURES = 3;
const APART_MS = 15 * 60_000;

/**
 * The state after a check. One that found out nothing changes nothing until it is the third in a row, each a quarter of
 * an hour after the one before; only what was never checked gives way at once.
 * (rules, domain-checks/changes-of-a-state)
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

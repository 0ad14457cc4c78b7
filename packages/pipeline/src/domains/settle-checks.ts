import { keptAnswer, type StoredCheck } from '@dmarc-ledger/facts';
import type { CheckedDomain, NewCheck } from '@dmarc-ledger/ledger';
import {
  settleState,
  type Finding,
  type KeptState,
  type Verification,
  type VerificationState,
} from '@dmarc-ledger/dns-records';
import { present } from '@dmarc-ledger/vocabulary';
import { nextCheck } from './next-check.ts';

export const stateSubjects = ['dmarc_state', 'forensic_state', 'tlsrpt_state', 'aprf_state'] as const;
export type StateSubject = (typeof stateSubjects)[number];

/** A verification state after a check, and the row that stores it. */
export interface SettledState {
  subject: StateSubject;
  kept: KeptState;
  row: NewCheck;
}

/** Settles a state after a check. A check without a result keeps what was seen before. */
export function settle(domain: CheckedDomain, subject: StateSubject, seen: Verification, now: Date): SettledState {
  const before = domain.checks.get(subject);
  const kept = settleState(
    {
      state: (before?.status ?? 'pending') as VerificationState, // written from one, and by nothing else
      verifiedAt: before?.verified_at ?? null,
      failures: before?.failures ?? 0,
      failedAt: before?.failed_at ?? null,
    },
    seen.state,
    now,
  );
  const isSeen = seen.state !== 'unconfirmed';
  const row: NewCheck = {
    subject,
    status: kept.state,
    details: '',
    has_record: isSeen ? seen.record !== null : (before?.has_record ?? false),
    records: isSeen ? (seen.record?.split('\n') ?? []) : (before?.records ?? []),
    is_partial: false,
    notes: [],
    inherited_from: isSeen ? seen.inheritedFrom : (before?.inherited_from ?? null),
    policy: null,
    policy_read_at: null,
    kept: null,
    facts: null,
    checked_at: now,
    verified_at: kept.verifiedAt,
    failures: kept.failures,
    failed_at: kept.failedAt,
  };
  return { subject, kept, row };
}

/**
 * The row of a check that has no state to keep. A policy that was read before is kept while none can be read; its
 * readers decide for how long it counts. (rules, scores/effective-policy)
 */
export function checkRow(domain: CheckedDomain, subject: string, finding: Finding, now: Date): NewCheck {
  const {
    status,
    details,
    hasRecord,
    records,
    notes,
    inheritedFrom,
    policy,
    mtaSts,
    facts,
    isPartial = false,
  } = finding;
  const before = status === 'unknown' ? domain.checks.get(subject) : undefined;
  return {
    subject,
    status,
    details,
    has_record: hasRecord,
    records: [...(records ?? [])],
    is_partial: isPartial,
    notes: [...(notes ?? [])],
    inherited_from: inheritedFrom ?? null,
    policy: policy ?? before?.policy ?? null,
    policy_read_at: policy ? now : (before?.policy_read_at ?? null),
    kept: mtaSts ?? keptState(subject, finding, before, now),
    facts: facts ?? null,
    checked_at: now,
    verified_at: null,
    failures: 0,
    failed_at: null,
  };
}

function keptState(subject: string, finding: Finding, before: StoredCheck | undefined, now: Date): unknown {
  if (subject === 'spf') return recordsRead(finding, before, now);
  return subject === 'dmarc' ? keptAnswer(before) : (before?.kept ?? null);
}

/** The SPF records of the last check that had an answer, and when it ran. */
function recordsRead({ status, records = [] }: Finding, before: StoredCheck | undefined, now: Date): unknown {
  if (status !== 'unknown') return { records, readAt: now.getTime() };
  if (!before || before.status === 'unknown') return before?.kept ?? null;
  return { records: before.records, readAt: before.checked_at.getTime() };
}

/** The values of the domain's own row after a check, and the time of the next check. */
export function outcomeOf(
  domain: CheckedDomain,
  states: readonly SettledState[],
  { seen, isDoubtful, now }: { seen: Verification; isDoubtful: boolean; now: Date },
) {
  const of = (subject: StateSubject) => present(states.find((state) => state.subject === subject));
  const dmarc = of('dmarc_state');
  const failures = seen.state === 'unconfirmed' ? domain.failures + 1 : 0;
  // a verified state, with the record's owner, stays while the check has no result
  const isVerified = dmarc.kept.verifiedAt !== null;
  const inheritedFrom = isVerified ? (dmarc.row.inherited_from ?? null) : null;
  const { state } = dmarc.kept;
  return {
    states: {
      dmarc_state: state,
      forensic_state: of('forensic_state').kept.state,
      tlsrpt_state: of('tlsrpt_state').kept.state,
      aprf_state: of('aprf_state').kept.state,
    },
    verifiedAt: dmarc.kept.verifiedAt,
    verifiedSource: isVerified ? (inheritedFrom === null ? ('self' as const) : ('inherited' as const)) : null,
    inheritedFrom,
    failures,
    checkedAt: now,
    checkedBefore: domain.checkedAt,
    begunAt: domain.begunAt,
    dueAt: nextCheck({ state, failures, createdAt: domain.createdAt, now, chance: Math.random(), isDoubtful }),
  };
}

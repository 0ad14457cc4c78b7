import {
  alignedOutcomes,
  alignRecord,
  type AuthResults,
  type Identifiers,
  type Outcome,
  type Policy,
  type PolicyEvaluated,
  type PolicyPublished,
} from '@dmarc-ledger/dmarc';
import { readEnum, words } from '../values/read-enum.ts';
import type { Warn } from '../values/warn.ts';
import type { RawPolicyEvaluated } from '../xml/raw-report.ts';
import { readReasons } from './read-reasons.ts';

export interface Evidence {
  identifiers: Identifiers;
  authResults: AuthResults;
  policy: PolicyPublished;
}

const DISPOSITIONS = words<Policy>(['none', 'quarantine', 'reject'], {
  softfail: { value: 'quarantine', code: 'disposition_invalid' },
});
const OUTCOMES = words<Outcome>(['pass', 'fail']);

/**
 * The receiver's evaluation of the messages (RFC 9990, 3.1.1.10; rules, verdict/reporters-verdict). Its verdict is
 * kept; only where it is missing are its own raw results judged instead.
 */
export function readPolicyEvaluated(
  raw: RawPolicyEvaluated | null,
  evidence: Evidence,
  rfc9990: boolean,
  warn: Warn,
): PolicyEvaluated {
  if (!raw) {
    warn('policy_evaluated_missing');
    return { disposition: 'none', ...recompute(evidence), reasons: null };
  }
  return {
    disposition: readDisposition(raw.disposition, rfc9990, warn),
    dkim: readOutcome(raw.dkim, warn) ?? recomputeOne('dkim', evidence, warn),
    spf: readOutcome(raw.spf, warn) ?? recomputeOne('spf', evidence, warn),
    reasons: readReasons(raw.reason, rfc9990, warn),
  };
}

function readDisposition(raw: string | null, rfc9990: boolean, warn: Warn): Policy {
  const text = raw?.trim() ?? '';
  if (text === '') {
    warn('disposition_missing');
    return 'none';
  }
  if (text.toLowerCase() === 'pass') {
    if (!rfc9990) warn('disposition_pass_legacy');
    return 'none';
  }
  const value = readEnum(text, DISPOSITIONS, warn);
  if (value === undefined) warn('disposition_invalid');
  return value ?? 'none';
}

/** Anything but a pass is a fail; undefined without a value. */
function readOutcome(raw: string | null, warn: Warn): Outcome | undefined {
  const text = raw?.trim() ?? '';
  if (text === '') return undefined;
  const value = readEnum(text, OUTCOMES, warn);
  if (value === undefined) warn('evaluated_result_invalid');
  return value ?? 'fail';
}

function recomputeOne(mechanism: 'dkim' | 'spf', evidence: Evidence, warn: Warn): Outcome {
  warn(`evaluated_${mechanism}_missing`);
  return recompute(evidence)[mechanism];
}

function recompute({ identifiers, authResults, policy }: Evidence): { dkim: Outcome; spf: Outcome } {
  return alignedOutcomes(authResults, alignRecord({ identifiers, authResults }, policy));
}

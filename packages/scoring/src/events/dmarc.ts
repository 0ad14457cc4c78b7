import type { EffectivePolicy } from '@dmarc-ledger/vocabulary';
import { policyStrength } from '../policy-strength.ts';
import { bareText, confirm, hashOf, type CheckFact, type Judged, type SeenRecords, undoubted } from './checks.ts';
import { eventTexts } from './event-texts.ts';
import { holding, over, type Judgement } from './judgement.ts';

const faults = ['dmarc_record_missing', 'dmarc_record_multiple', 'dmarc_record_invalid'] as const;
type Fault = (typeof faults)[number];
/** Weakest first. */
const LEVELS: readonly EffectivePolicy['p'][] = ['none', 'quarantine', 'reject'];

/** Compares the DMARC record that applies to a domain with the last valid one. (rules, events/dmarc-changes) */
export function judgeDmarc(domain: string, check: CheckFact | undefined, seen: SeenRecords): Judged {
  if (!check || check.status === 'unknown') return { judgements: [], seen };
  const fault = faultOf(check);
  if (fault) {
    if (!seen.dmarc) return { judgements: [], seen };
    const { isAgreed, doubtful } = confirm('dmarc', check, seen);
    return { judgements: isAgreed ? broken(domain, fault, check) : [], seen: doubtful };
  }
  if (!check.policy) return { judgements: [], seen };
  const mended = faults.map((type) => over(type, domain));
  const now = { text: bareText(check.records), strength: policyStrength(check.policy), policy: check.policy };
  const { raised, weakened } = changed(domain, check, seen, now);
  return { judgements: [...mended, ...raised], seen: { ...undoubted('dmarc', seen), dmarc: now, weakened } };
}

function faultOf({ status, hasRecord, records }: CheckFact): Fault | undefined {
  if (status !== 'error') return undefined;
  if (!hasRecord) return 'dmarc_record_missing';
  return records.length > 1 ? 'dmarc_record_multiple' : 'dmarc_record_invalid';
}

function broken(domain: string, fault: Fault, { details }: CheckFact): Judgement[] {
  const others = faults.filter((type) => type !== fault).map((type) => over(type, domain));
  return [...others, holding(fault, { domain, protocol: 'dmarc', message: details })];
}

/**
 * A change is reported once: as a change of policy where the policy changed, else as a change of the text. A weaker
 * policy is a condition that holds until the policy is back.
 */
function changed(
  domain: string,
  check: CheckFact,
  { dmarc: before, weakened = [] }: SeenRecords,
  now: NonNullable<SeenRecords['dmarc']>,
): { raised: Judgement[]; weakened: Weakened[] } {
  const open = weakened.filter(({ until }) => now.strength < until);
  const back = weakened
    .filter(({ until }) => now.strength >= until)
    .map(({ strength }) => over('dmarc_policy_weakened', domain, String(strength)));
  const still = [...back, ...open.flatMap((one) => weaker(domain, one))];
  if (!before) return { raised: still, weakened: open };
  const about = { domain, protocol: 'dmarc', occurrence: check.changedAt.toISOString() };
  if (now.strength !== before.strength) {
    const [from, to] = described(before.policy, now.policy);
    const message = eventTexts.policyChanged({ domain, from, to });
    const parts = [domain, String(now.strength)];
    if (now.strength > before.strength)
      return { raised: [...still, holding('dmarc_policy_strengthened', { ...about, parts, message })], weakened: open };
    const others = open.filter(({ strength }) => strength !== now.strength);
    // weakened again before it was back: what ends the open event is what it was at first
    const until = Math.max(before.strength, ...open.flatMap((one) => (others.includes(one) ? [] : one.until)));
    const all = [...others, { strength: now.strength, until, message }];
    return { raised: [...back, ...all.flatMap((one) => weaker(domain, one))], weakened: all };
  }
  if (now.text === before.text) return { raised: still, weakened: open };
  const parts = [domain, hashOf(now.text)];
  return {
    raised: [...still, holding('dmarc_record_changed', { ...about, parts, message: check.details })],
    weakened: open,
  };
}

type Weakened = NonNullable<SeenRecords['weakened']>[number];

function weaker(domain: string, { strength, message }: Weakened): Judgement[] {
  if (message === undefined) return []; // reported before messages were kept
  return [holding('dmarc_policy_weakened', { domain, protocol: 'dmarc', parts: [domain, String(strength)], message })];
}

/** Both policies by name; in full, if the names do not say which is the stronger. */
function described(...[one, other]: [EffectivePolicy, EffectivePolicy]): [string, string] {
  const rise = LEVELS.indexOf(other.p) - LEVELS.indexOf(one.p);
  const isStronger = policyStrength(other) > policyStrength(one);
  return rise !== 0 && rise > 0 === isStronger ? [one.p, other.p] : [inFull(one), inFull(other)];
}

function inFull({ p, sp = p, pct, t }: EffectivePolicy): string {
  return [p, ...(sp === p ? [] : [`sp=${sp}`]), ...(pct === 100 ? [] : [`pct=${pct}`]), ...(t ? ['t=y'] : [])].join(
    '; ',
  );
}

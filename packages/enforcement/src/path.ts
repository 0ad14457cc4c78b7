import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';
import { stepRules, type EnforcementStep, type PublishedPolicy } from './step.ts';

/**
 * The stages of the path to reject, weakest first. The test mode of RFC 9989 takes the place of the percentages of RFC
 * 7489. At the last stage, names below the domain are rejected too.
 */
export const pathStages = ['unpublished', 'monitor', 'test', 'quarantine', 'reject', 'subdomains'] as const;
export type PathStage = (typeof pathStages)[number];

/** A policy as it is published, and whether it is applied in part: in test mode, or to a percentage. */
export interface AppliedPolicy extends PublishedPolicy {
  isPartly: boolean;
  /** True below the organizational domain, whose record says what applies to further names. (RFC 9989, 4.10) */
  isBelow?: boolean;
  /** True where only the suffix list says so, and no check has looked for a record above. */
  isBelowAssumed?: boolean;
  /** Why no policy applies, where a check has found that: no record stands in the DNS, or no valid one. */
  fault?: 'none' | 'broken';
}

type Below = Pick<PublishedPolicy, 'p' | 'sp' | 'np'>;

/** Where a domain stands. A reject that is applied in part stands with quarantine. (rules, enforcement/path) */
export function stageOf(policy: Below & Pick<AppliedPolicy, 'isPartly'>): PathStage {
  const { p, isPartly } = policy;
  if (p === null) return 'unpublished';
  if (p === 'none') return 'monitor';
  if (p === 'quarantine') return isPartly ? 'test' : 'quarantine';
  if (isPartly) return 'quarantine';
  const { subdomains, absent } = effectivePolicies(policy);
  return subdomains === 'reject' && absent === 'reject' ? 'subdomains' : 'reject';
}

/** The step that comes next; undefined at the end of the path. */
export function nextStep(policy: AppliedPolicy): EnforcementStep | undefined {
  switch (stageOf(policy)) {
    case 'unpublished':
    case 'monitor':
    case 'test':
      return 'quarantine';
    case 'quarantine':
      return 'reject';
    case 'reject':
      if (policy.isBelow) return undefined;
      return effectivePolicies(policy).subdomains === 'reject' ? 'np_reject' : 'sp_reject';
    case 'subdomains':
      return undefined;
  }
}

/** What is asked for names below the domain: `sp` falls back to `p`, and `np` to `sp`. (RFC 9989, 4.7) */
export function effectivePolicies({ p, sp, np }: Below): { subdomains: DmarcPolicy; absent: DmarcPolicy } {
  const subdomains = sp ?? p ?? 'none';
  return { subdomains, absent: np ?? subdomains };
}

type Published = Exclude<PathStage, 'unpublished'>;

/** The policy of each stage, and the other tags that it sets; null removes a tag. */
const POLICY: { readonly [stage in Published]: DmarcPolicy } = {
  monitor: 'none',
  test: 'quarantine',
  quarantine: 'quarantine',
  reject: 'reject',
  subdomains: 'reject',
};
const CHANGES: { readonly [stage in Published]: { readonly [tag: string]: string | null } } = {
  monitor: { t: null },
  test: { t: 'y' },
  quarantine: { t: null },
  reject: { t: null },
  subdomains: { sp: 'reject', np: 'reject', t: null },
};
/** Weakest first. */
export const STRENGTH: { readonly [policy in DmarcPolicy]: number } = { none: 0, quarantine: 1, reject: 2 };
/** The tags that the stages change stand first. */
const FIRST = ['p', 'sp', 'np', 't'];
const REMOVED = ['pct', 'rf', 'ri'];

const LESS: { readonly [policy in DmarcPolicy]: DmarcPolicy } = {
  none: 'none',
  quarantine: 'none',
  reject: 'quarantine',
};

type Held = Below & Pick<AppliedPolicy, 'isPartly' | 'isBelow' | 'isBelowAssumed'>;

/**
 * The `sp` and `np` that a stage adds or lowers, so that names below the domain keep what is applied to them now: one
 * thing changes at a time. A policy that is applied in part counts as the next weaker one.
 */
function heldBelow(stage: Published, held: Held): { sp?: DmarcPolicy; np?: DmarcPolicy } {
  // where only the suffix list says so, an sp that may say nothing does no harm
  if (stage === 'subdomains' || (held.isBelow && !held.isBelowAssumed)) return {};
  const applied = (policy: DmarcPolicy, isPartly: boolean) => (isPartly ? LESS[policy] : policy);
  const { subdomains, absent } = effectivePolicies(held);
  const isStronger = (policy: DmarcPolicy, now: DmarcPolicy) =>
    STRENGTH[applied(policy, stage === 'test')] > STRENGTH[applied(now, held.isPartly)];
  // without a tag of their own they would follow p, which receivers that do not know test mode apply in full
  const follows = held.sp === null && STRENGTH[POLICY[stage]] > STRENGTH[held.p ?? 'none'];
  return {
    ...((follows || isStronger(held.sp ?? POLICY[stage], subdomains)) && { sp: applied(subdomains, held.isPartly) }),
    ...(held.np !== null && isStronger(held.np, absent) && { np: applied(absent, held.isPartly) }),
  };
}

/**
 * The stages that a domain passes through. Test mode is left out where names below the domain have more now than it
 * would leave them, as it applies to `sp` and `np` too. (RFC 9989, 4.7; rules, enforcement/path)
 */
export function stagesOf(policy: AppliedPolicy): PathStage[] {
  const isBefore = (policy.p ?? 'none') === 'none';
  return pathStages.filter((stage) => {
    if (stage === 'subdomains') return !policy.isBelow;
    return stage !== 'test' || !isBefore || !isLessBelow(policy);
  });
}

function isLessBelow(policy: AppliedPolicy): boolean {
  if (policy.isBelow && !policy.isBelowAssumed) return false;
  const now = effectivePolicies(policy);
  const then = effectivePolicies({ ...policy, ...heldBelow('test', policy), p: POLICY.test });
  const applied = (level: DmarcPolicy) => STRENGTH[policy.isPartly ? LESS[level] : level];
  return (['subdomains', 'absent'] as const).some((names) => STRENGTH[LESS[then[names]]] < applied(now[names]));
}

/** The tags of the record that the step asks for, as far as they differ from today. (rules, enforcement/path) */
export function tagsOfStep(step: EnforcementStep, policy: Held): string {
  // names that do not exist get sp too, at receivers that know no np: what is judged is published
  if (step === 'sp_reject' && policy.np !== 'reject') return `${stepRules.sp_reject.tags}; ${stepRules.np_reject.tags}`;
  if (step !== 'quarantine' && step !== 'reject') return stepRules[step].tags;
  const { sp, np } = heldBelow(step, policy);
  const tags = [stepRules[step].tags, ...(sp ? [`sp=${sp}`] : []), ...(np ? [`np=${np}`] : [])].join('; ');
  return policy.isPartly ? `${tags} without t or pct` : tags;
}

/** The tags that a stage sets in the record that stands. (rules, enforcement/path) */
export function tagsAt(stage: Published, policy: Held): string {
  const tags = { p: POLICY[stage], ...changesAt(stage, policy) };
  return Object.entries(tags)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]))
    .join('; ');
}

function changesAt(stage: Published, policy: Held): { [tag: string]: string | null } {
  return { ...CHANGES[stage], ...heldBelow(stage, policy) };
}

/**
 * The record to publish at a stage: that of today with the policy of the stage, without the tags that RFC 9989 removed.
 * Names below the domain keep what they have now. (rules, enforcement/path)
 */
export function recordAt(
  stage: Published,
  tags: ReadonlyMap<string, string>,
  policy: Held,
  reportAddress: string,
): string {
  const merged = new Map<string, string>([
    ['p', POLICY[stage]],
    ...[...tags].filter(([name]) => name !== 'v' && name !== 'p' && !REMOVED.includes(name)),
  ]);
  for (const [name, value] of Object.entries(changesAt(stage, policy))) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  if (!merged.has('rua')) merged.set('rua', `mailto:${reportAddress}`);
  const names = [
    ...FIRST.filter((name) => merged.has(name)),
    ...[...merged.keys()].filter((name) => !FIRST.includes(name)),
  ];
  return ['v=DMARC1', ...names.map((name) => `${name}=${merged.get(name) ?? ''}`)].join('; ');
}

/** The tags of a policy that only reports show; what is usual is left out. */
export function tagsOfPolicy({ sp, np, adkim, aspf }: PublishedPolicy): Map<string, string> {
  const tags = new Map<string, string>();
  if (sp !== null) tags.set('sp', sp);
  if (np !== null) tags.set('np', np);
  if (adkim === 's') tags.set('adkim', 's');
  if (aspf === 's') tags.set('aspf', 's');
  return tags;
}

import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';
import type { EnforcementStep, PublishedPolicy } from './step.ts';

/**
 * The stages of the path to reject, weakest first. The test mode of RFC 9989 takes the place of the percentages of RFC
 * 7489. At the last stage, names below the domain are rejected too.
 */
export const pathStages = ['unpublished', 'monitor', 'test', 'quarantine', 'reject', 'subdomains'] as const;
export type PathStage = (typeof pathStages)[number];

/** A policy as it is published, and whether it is applied in part: in test mode, or to a percentage. */
export interface AppliedPolicy extends PublishedPolicy {
  isPartly: boolean;
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
const STRENGTH: { readonly [policy in DmarcPolicy]: number } = { none: 0, quarantine: 1, reject: 2 };
/** The tags that the stages change stand first. */
const FIRST = ['p', 'sp', 'np', 't'];
const REMOVED = ['pct', 'rf', 'ri'];

/**
 * The record to publish at a stage: that of today with the policy of the stage, without the tags that RFC 9989 removed.
 * Where the policy rises and the record says nothing of subdomains, they keep what they have now, so that one thing
 * changes at a time. (rules, enforcement/path)
 */
export function recordAt(
  stage: Published,
  tags: ReadonlyMap<string, string>,
  { p, sp }: Pick<PublishedPolicy, 'p' | 'sp'>,
  reportAddress: string,
): string {
  const changes = CHANGES[stage];
  const policy = POLICY[stage];
  const rises = p !== null && STRENGTH[policy] > STRENGTH[p];
  const merged = new Map<string, string>([
    ['p', policy],
    ...(sp === null && rises && changes['sp'] === undefined ? ([['sp', p]] as const) : []),
    ...[...tags].filter(([name]) => name !== 'v' && name !== 'p' && !REMOVED.includes(name)),
  ]);
  for (const [name, value] of Object.entries(changes)) {
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

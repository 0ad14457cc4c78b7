import { codesOf, dmarcPolicies, isOneOf, type DmarcPolicy } from '@dmarc-ledger/vocabulary';
import { STRENGTH } from './path.ts';
import { isOfPublicSuffix } from './suffix-record.ts';

const POLICIES = codesOf(dmarcPolicies);

/** What RFC 9989 changed for domains that publish a record: what to look at, in this order. */
export const readinessTopics = ['record', 'pct', 'rf', 'ri', 'np', 'psd', 'tree_walk', 'rua_size', 'external'] as const;
export type ReadinessTopic = (typeof readinessTopics)[number];

export interface ReadinessItem {
  topic: ReadinessTopic;
  /** `unknown`: the stored checks do not show it. */
  state: 'ok' | 'change' | 'unknown';
  /** What is found, and what to change, in a sentence or two. */
  text: string;
}

export interface TreeWalk {
  organizationalDomain: string;
  /** The record whose `psd` ended the walk. */
  endsAt?: { name: string; psd: 'y' | 'n' };
}

/** What stored checks of the DNS show about a domain. */
export interface RecordFacts {
  domain: string;
  /** The tags of the record that applies; undefined without a valid record. */
  tags: ReadonlyMap<string, string> | undefined;
  /** The name whose record applies, if that is not the domain itself. */
  inheritedFrom: string | null;
  /** The organizational domain by the public suffix list. */
  suffixDomain: string;
  /** True if names below the domain follow the record of another one. */
  isBelow: boolean;
  /** Undefined where the stored checks do not show it. */
  walk: TreeWalk | undefined;
  /** Report addresses with a size limit. */
  sized: readonly string[];
  /** Hosts that take no reports about the domain, with the name of the record that is missing there. */
  unauthorized: readonly { host: string; record: string }[];
}

/** Judges a record by what RFC 9989 changed. (rules, enforcement/readiness) */
export function judgeReadiness(facts: RecordFacts): ReadinessItem[] {
  const { tags } = facts;
  if (!tags) return [item('record', 'unknown', readinessTexts.noRecord(facts))];
  return [
    facts.inheritedFrom === null
      ? item('record', 'ok', readinessTexts.own(facts))
      : item('record', 'ok', inheritedText({ ...facts, from: facts.inheritedFrom })),
    removed('pct', tags, hasShare(tags) ? readinessTexts.pct : readinessTexts.pctIdle),
    removed('rf', tags, readinessTexts.rf),
    removed('ri', tags, readinessTexts.ri),
    np(facts, tags),
    psd(facts, tags),
    treeWalk(facts),
    facts.sized.length === 0
      ? item('rua_size', 'ok', readinessTexts.noSize())
      : item('rua_size', 'change', readinessTexts.size({ addresses: facts.sized })),
    facts.unauthorized.length === 0
      ? item('external', 'ok', readinessTexts.authorized())
      : item('external', 'change', facts.unauthorized.map(readinessTexts.unauthorized).join(' ')),
  ];
}

function removed(
  topic: 'pct' | 'rf' | 'ri',
  tags: ReadonlyMap<string, string>,
  sentence: (value: { value: string }) => string,
): ReadinessItem {
  const value = tags.get(topic);
  return value === undefined
    ? item(topic, 'ok', readinessTexts.absent({ tag: topic }))
    : item(topic, 'change', sentence({ value }));
}

/** True if receivers that follow RFC 7489 apply a policy to a share of the mail. */
function hasShare(tags: ReadonlyMap<string, string>): boolean {
  const value = tags.get('pct') ?? '';
  const isShare = /^\d{1,2}$/.test(value);
  return isShare && ['p', 'sp'].some((name) => /^(?:quarantine|reject)$/i.test(tags.get(name) ?? ''));
}

function np({ domain, suffixDomain, isBelow }: RecordFacts, tags: ReadonlyMap<string, string>): ReadinessItem {
  if (isBelow) return item('np', 'ok', readinessTexts.npBelow({ domain, suffixDomain }));
  const wrong = ['np', 'sp'].find((tag) => tags.has(tag) && policyOf(tags, tag) === undefined);
  if (wrong) return item('np', 'change', readinessTexts.noPolicy({ tag: wrong, value: tags.get(wrong) ?? '' }));
  const fallback = policyOf(tags, 'sp') ?? policyOf(tags, 'p') ?? 'none';
  const value = policyOf(tags, 'np');
  if (value !== undefined)
    return STRENGTH[value] < STRENGTH[fallback]
      ? item('np', 'change', readinessTexts.npWeaker({ value, fallback }))
      : item('np', 'ok', readinessTexts.np({ value }));
  return fallback === 'reject'
    ? item('np', 'ok', readinessTexts.npFalls({ fallback }))
    : item('np', 'change', readinessTexts.npMissing({ fallback }));
}

function policyOf(tags: ReadonlyMap<string, string>, tag: string): DmarcPolicy | undefined {
  const value = tags.get(tag)?.toLowerCase();
  return isOneOf(POLICIES, value) ? value : undefined;
}

function psd({ domain, inheritedFrom, suffixDomain }: RecordFacts, tags: ReadonlyMap<string, string>): ReadinessItem {
  const value = tags.get('psd')?.toLowerCase();
  const at = inheritedFrom ?? domain;
  if (value === 'y')
    return isOfPublicSuffix(at, suffixDomain)
      ? item('psd', 'ok', readinessTexts.psdSuffix({ at }))
      : item('psd', 'change', readinessTexts.psdYes({ at }));
  if (value === 'n') return item('psd', 'ok', readinessTexts.psdNo({ at }));
  return domain === suffixDomain
    ? item('psd', 'ok', readinessTexts.psdNone())
    : item('psd', 'ok', readinessTexts.psdBelow({ domain, suffixDomain }));
}

function treeWalk({ domain, suffixDomain, walk }: RecordFacts): ReadinessItem {
  if (walk === undefined) return item('tree_walk', 'unknown', readinessTexts.walkUnknown({ suffixDomain }));
  const { organizationalDomain: walkDomain, endsAt } = walk;
  if (walkDomain === suffixDomain) return item('tree_walk', 'ok', readinessTexts.walkSame({ walkDomain }));
  const differs = { domain, suffixDomain, walkDomain };
  return item(
    'tree_walk',
    'change',
    endsAt ? readinessTexts.walkEnds({ ...differs, endsAt }) : readinessTexts.walkDiffers(differs),
  );
}

function item(topic: ReadinessTopic, state: ReadinessItem['state'], text: string): ReadinessItem {
  return { topic, state, text };
}

function inheritedText({ suffixDomain, ...about }: { domain: string; from: string; suffixDomain: string }): string {
  return isOfPublicSuffix(about.from, suffixDomain)
    ? readinessTexts.inheritedOfSuffix(about)
    : readinessTexts.inherited(about);
}

interface WalkDiffers {
  domain: string;
  suffixDomain: string;
  walkDomain: string;
}

function walkFinds({ domain, suffixDomain, walkDomain }: WalkDiffers): string {
  return `By tree walk the organizational domain of ${domain} is ${walkDomain}, by suffix list ${suffixDomain}`;
}

/** Every sentence about readiness. */
const readinessTexts = {
  noRecord: ({ domain }: { domain: string }) =>
    `No valid DMARC record of ${domain} is known: the page of its record says what stands there, and what to publish.`,
  own: ({ domain }: { domain: string }) => `${domain} publishes a record of its own.`,
  inherited: ({ domain, from }: { domain: string; from: string }) =>
    `${domain} publishes no record: that of ${from} applies. Change it there for all names, or give ${domain} a record ` +
    `of its own.`,
  inheritedOfSuffix: ({ domain, from }: { domain: string; from: string }) =>
    `${domain} publishes no record: that of ${from} applies, a public suffix. Give ${domain} a record of its own.`,
  absent: ({ tag }: { tag: string }) => `The record has no ${tag}.`,
  pct: ({ value }: { value: string }) =>
    `Receivers that follow RFC 9989 ignore pct=${value} and apply the policy to all failing mail, others still apply ` +
    `it to ${Number(value)} %. Without it all do: remove it as a step of the path, once that is ready.`,
  pctIdle: ({ value }: { value: string }) => `pct=${value} changes nothing: remove it.`,
  rf: ({ value }: { value: string }) =>
    `rf=${value} no longer means anything: remove it. Failure reports have one format.`,
  ri: ({ value }: { value: string }) =>
    `ri=${value} no longer means anything: remove it. Reporters send at least one report a day.`,
  np: ({ value }: { value: string }) => `np=${value} is asked for names below the domain that do not exist.`,
  noPolicy: ({ tag, value }: { tag: string; value: string }) =>
    `${tag}=${value} is no policy, so receivers that follow RFC 9989 take the whole record for p=none: correct it.`,
  npWeaker: ({ value, fallback }: { value: DmarcPolicy; fallback: DmarcPolicy }) =>
    `np=${value} makes names below the domain that do not exist easier to forge than others, which get ${fallback}. ` +
    `Publish np=reject when the step np_reject affects no mail of yours.`,
  npBelow: ({ domain, suffixDomain }: { domain: string; suffixDomain: string }) =>
    `Names below ${domain} follow the record of ${suffixDomain}, so that sp and np of this one say nothing.`,
  npFalls: ({ fallback }: { fallback: string }) =>
    `Names below the domain that do not exist get ${fallback}, as sp or p says: np is not needed.`,
  npMissing: ({ fallback }: { fallback: string }) =>
    `Names below the domain that do not exist get ${fallback}, as sp or p says. Publish np=reject when the step ` +
    `np_reject affects no mail of yours: some servers send from names that only they know.`,
  psdSuffix: ({ at }: { at: string }) => `psd=y says that ${at} is a public suffix, as the suffix list does.`,
  psdYes: ({ at }: { at: string }) =>
    `psd=y says that ${at} is a public suffix, whose subdomains belong to others: remove it unless that is so.`,
  psdNo: ({ at }: { at: string }) =>
    `psd=n says that ${at} is an organizational domain, apart from the domain above it.`,
  psdNone: () => 'The record has no psd, and needs none.',
  psdBelow: ({ domain, suffixDomain }: { domain: string; suffixDomain: string }) =>
    `The record has no psd. Publish psd=n only if ${domain} is to be apart from ${suffixDomain}: its mail then no ` +
    `longer aligns with that.`,
  walkUnknown: ({ suffixDomain }: { suffixDomain: string }) =>
    `Whether receivers that walk the tree find ${suffixDomain} depends on its record, which is not checked here: add ` +
    `${suffixDomain} to your domains.`,
  walkSame: ({ walkDomain }: { walkDomain: string }) =>
    `By tree walk and by suffix list the organizational domain is ${walkDomain}.`,
  walkEnds: ({ endsAt, ...differs }: WalkDiffers & { endsAt: NonNullable<TreeWalk['endsAt']> }) =>
    `${walkFinds(differs)}, as the record of ${endsAt.name} has psd=${endsAt.psd}: receivers differ in ` +
    `what aligns. Remove psd=${endsAt.psd} there unless that is meant, and sign exactly as the From domain.`,
  walkDiffers: (differs: WalkDiffers) =>
    `${walkFinds(differs)}: receivers differ in what aligns. Publish a DMARC record at ${differs.suffixDomain}, or sign ` +
    `exactly as the From domain.`,
  noSize: () => 'No report address has a size limit.',
  size: ({ addresses }: { addresses: readonly string[] }) =>
    `Reporters ignore the size limit in ${addresses.join(' and ')}: remove the part from the exclamation mark on.`,
  authorized: () => 'No report address of yours waits for a permission.',
  unauthorized: ({ host, record }: { host: string; record: string }) =>
    `Reporters may not send to ${host} until its owner publishes a TXT record at ${record} that says v=DMARC1.`,
} as const;

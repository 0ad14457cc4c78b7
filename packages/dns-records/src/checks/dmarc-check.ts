import type { DmarcPolicy, EffectivePolicy } from '@dmarc-ledger/vocabulary';
import type { Ask } from '../ask.ts';
import { findBelow, isSpAsked } from '../records/asked-sp.ts';
import type { DmarcRecord } from '../records/dmarc-record.ts';
import { isOurs } from '../records/report-address.ts';
import { candidatesOf, strayNotes } from '../records/tag-list.ts';
import { policyFor, walkDmarc, type DmarcWalk } from '../records/tree-walk.ts';
import {
  finding,
  missing,
  UNREACHABLE,
  type Check,
  type CheckContext,
  type Finding,
  type DmarcFacts,
} from './check.ts';
import { details } from './details.ts';
import { findUnauthorized } from './find-unauthorized.ts';

const STRENGTH: { readonly [policy in DmarcPolicy]: number } = { none: 0, quarantine: 1, reject: 2 };

export const dmarcCheck: Check = {
  protocol: 'dmarc',
  names: (domain, { inheritedFrom = domain }) => [...new Set([domain, inheritedFrom])].map((at) => `_dmarc.${at}`),
  async run(ask, context) {
    const walk = await walkDmarc(context.domain, ask.text);
    const judged = judgeDmarc(walk, await isSpAsked(walk, context, ask.text), context);
    const misplaced = await misplacedNote(ask, walk, context.domain);
    const noted = [...(judged.notes ?? []), ...misplaced];
    if (!walk.applied) return { ...judged, ...(noted.length > 0 && { notes: noted }) };
    const { notes, facts } = await findUnauthorized(ask, walk.applied, context);
    const below = await findBelow(walk.applied, context, ask.text);
    const all = (judged.facts ?? facts ?? below) && { facts: { ...judged.facts, ...facts, ...below } };
    const absent = await absentNameNote(ask, walk.applied, context.domain);
    return { ...judged, notes: [...noted, ...absent, ...notes], ...all };
  },
};

/**
 * A record where people put it by mistake, while none stands in its place: at the name of the domain itself, or, with
 * no policy at all, below the domain written twice, as menus add it to the name that was entered. (rules,
 * domain-checks/dmarc-record)
 */
async function misplacedNote(ask: Ask, { own, applied, isUnconfirmed }: DmarcWalk, domain: string): Promise<string[]> {
  if (own.length > 0 || isUnconfirmed) return [];
  for (const name of applied ? [domain] : [domain, `_dmarc.${domain}.${domain}`]) {
    const answer = await ask.text(name);
    if (answer.kind === 'found' && candidatesOf(answer.values, 'DMARC1').length > 0)
      return [`receivers do not read the DMARC record at ${name}: it belongs at _dmarc.${domain}`];
  }
  return [];
}

/**
 * The policy that the record above has for names that do not exist, of which older receivers know nothing. (RFC
 * 9989, 4.10.1; rules, domain-checks/dmarc-record)
 */
async function absentNameNote(ask: Ask, applied: NonNullable<DmarcWalk['applied']>, domain: string): Promise<string[]> {
  const { np } = applied.record;
  const policy = policyFor(domain, applied);
  if (applied.at === domain || np === undefined || np === policy || !(await ask.isNameAbsent(domain))) return [];
  return [`${domain} does not exist: receivers that follow RFC 9989 apply np=${np} to it, others ${policy}`];
}

/**
 * (rules, domain-checks/dmarc-record)
 * @param hasSp whether receivers ask for the `sp` of the record that applies; undefined: not known
 */
function judgeDmarc(
  walk: DmarcWalk,
  hasSp: boolean | undefined,
  { domain, ours }: Pick<CheckContext, 'domain' | 'ours'>,
): Finding {
  const { own, isSplit, applied, broken, isUnconfirmed } = walk;
  if (isUnconfirmed) return UNREACHABLE;
  if (own.length > 1)
    return finding('error', isSplit ? details.dmarcSplit() : details.dmarcSeveral({ count: own.length }), {
      records: own,
    });
  if (!applied && broken) return finding('error', details.dmarcBroken(broken), { records: [broken.text] });
  const stray = strayNotes(walk.others, /dmarc\s*1/i, 'v=DMARC1;');
  if (!applied) return { ...missing(details.dmarcMissing()), notes: stray };
  if (hasSp === undefined) return UNREACHABLE;
  const { record, at } = applied;
  const isOwn = at === domain;
  const unused = isOwn && !hasSp ? record.sp : undefined;
  const p = policyFor(domain, applied);
  const policy = { p, sp: isOwn && hasSp ? record.sp : undefined, pct: record.pct, t: record.t };
  const judged = judgeRecord(record, policy, ours);
  const seen = {
    records: [record.text],
    notes: [...stray, ...record.notes, ...(unused ? [unusedSpNote(unused)] : [])],
    policy: { ...policy, ...(unused && { unusedSp: unused }) },
    ...(!isOwn && { inheritedFrom: at }),
    ...(judged.cause && { facts: { cause: judged.cause } }),
  };
  return finding(judged.status, judged.details, seen);
}

function judgeRecord(
  record: DmarcRecord,
  { p, sp = p, pct, t }: EffectivePolicy,
  ours: readonly string[],
): { status: 'ok' | 'warning'; details: string; cause?: DmarcFacts['cause'] } {
  const warning = (cause: DmarcFacts['cause'], sentence: string) =>
    ({ status: 'warning', details: sentence, cause }) as const;
  if (p === 'none') return warning('none', details.dmarcNone());
  if (t || pct < 100) return warning('partly', details.dmarcPartly({ policy: p }));
  if (!record.rua.some(({ address }) => address !== null)) return warning('unreported', details.dmarcUnreported());
  if (STRENGTH[sp] < STRENGTH[p]) return warning('subdomains', details.dmarcSubdomains({ policy: p, subdomains: sp }));
  if (!isOurs(record.rua, ours)) return warning('elsewhere', details.dmarcElsewhere({ policy: p }));
  return { status: 'ok', details: details.dmarcGood({ policy: p }) };
}

function unusedSpNote(sp: DmarcPolicy): string {
  return `receivers do not ask for sp=${sp} here, as a record above applies to the names below`;
}

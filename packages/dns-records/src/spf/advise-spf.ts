import type { Evaluated } from './evaluate-spf.ts';
import { missingIn } from './missing-senders.ts';
import { isWide } from './open-terms.ts';
import { withoutRedundant } from './redundant-terms.ts';
import { faultOf, isDead, type SpfFault } from './spf-faults.ts';
import { LEAST_SPF_MAIL, SPF_STALE_DAYS, type SharedUse, type SpfSender, type TermUse } from './spf-mail.ts';
import { spfTexts } from './spf-texts.ts';
import { costOf, type PlacedTerm, type SpfTerm, type SpfTree } from './spf-tree.ts';
import { isEnd, modifiersIn, writeRecord } from './write-record.ts';

/** The shortest record that still authorises every own sender, or why there is none. */
export interface SpfAdvice {
  /** Null where nothing can be advised. */
  record: string | null;
  /** Sentences, ready to show. */
  reasons: string[];
  /** Of the terms that stay. */
  lookups: number;
  removed: string[];
  added: string[];
}

interface Judged {
  tree: SpfTree;
  placed: readonly PlacedTerm[];
  uses: ReadonlyMap<number, TermUse>;
  absent: readonly SpfSender[];
  ownMessages: number;
  isEnough: boolean;
  isCurrent: boolean;
  shared: SharedUse | undefined;
  evaluate(this: void, address: string): Evaluated | undefined;
}

/** The most characters of one string of a TXT record. (RFC 1035, 3.3; RFC 7208, 3.3) */
const STRING = 255;
/** The most names of domains in a sentence. */
const NAMES = 3;

/** (rules, spf/shortest-record) */
export function adviseRecord(judged: Judged): SpfAdvice {
  const own = judged.placed.filter(({ parent }) => parent === null);
  const { lookups } = costOf(judged.tree.terms);
  const obstacle = obstacleTo(judged, own);
  if (obstacle !== undefined) return { record: null, reasons: [obstacle], lookups, removed: [], added: [] };
  const kept = withoutRedundant(own.filter((at) => isKept(at, judged.uses)));
  const terms = kept.map(({ term }) => term);
  const dropped = own.filter((at) => !kept.includes(at)).map(({ term }) => term);
  const rest = { lookups: costOf(terms).lookups, removed: dropped.map(({ text }) => text) };
  const fault = faultOf(terms);
  const shared = reasonsOfShared(judged.shared);
  if (fault)
    return { record: null, reasons: [...reasonsToDrop(dropped), ...reasonsOf(fault), ...shared], ...rest, added: [] };
  const { added, reasons } = missingIn(judged, own);
  const published = judged.tree.record ?? '';
  const record = writeRecord(terms, added, modifiersIn(published));
  const all = [...reasonsToDrop(dropped), ...reasons, ...reasonsOfText(record, { terms, published })];
  if (all.length === 0) all.push(spfTexts.asShort());
  return { record, reasons: [...all, ...shared], ...rest, added: added.map(({ text }) => text) };
}

/** Why nothing can be advised. */
function obstacleTo(
  { tree, ownMessages, isEnough, isCurrent }: Judged,
  own: readonly PlacedTerm[],
): string | undefined {
  if (!tree.isComplete) return spfTexts.incomplete();
  if (tree.record === null || tree.terms.length === 0) return spfTexts.noRecord();
  if (ownMessages === 0) return spfTexts.noSender();
  if (!isEnough) return spfTexts.notEnough(LEAST_SPF_MAIL);
  if (!isCurrent) return spfTexts.stale({ days: SPF_STALE_DAYS });
  const wide = own.find(({ term }) => isWide(term));
  return wide && spfTexts.wide({ term: wide.term.text });
}

/** A `redirect` that can be used stays: it says what others get. */
function isKept({ id, term }: PlacedTerm, uses: ReadonlyMap<number, TermUse>): boolean {
  const needed = uses.get(id)?.needed;
  if (term.state === 'ignored') return false;
  return isDead(term) ? needed === 'yes' : needed !== 'no' || term.name === 'redirect';
}

function reasonsToDrop(dropped: readonly SpfTerm[]): string[] {
  const unreached = dropped.filter(({ state }) => state === 'ignored').length;
  const dead = dropped.filter(isDead).length;
  const removed = dropped.length - unreached - dead;
  return [
    ...(removed > 0 ? [spfTexts.removed({ count: removed })] : []),
    ...(dead > 0 ? [spfTexts.dead({ count: dead })] : []),
    ...(unreached > 0 ? [spfTexts.unreached({ count: unreached })] : []),
  ];
}

/** What to say of other domains that use the record. */
function reasonsOfShared(shared: SharedUse | undefined): string[] {
  if (!shared) return [];
  const { domains, unseen } = shared;
  return [spfTexts.shared(some(domains)), ...(unseen.length > 0 ? [spfTexts.unseen(some(unseen))] : [])];
}

function some(domains: readonly string[]): { names: readonly string[]; others: number } {
  return { names: domains.slice(0, NAMES), others: Math.max(0, domains.length - NAMES) };
}

function reasonsOf(fault: SpfFault): string[] {
  if (fault.kind === 'unusable') return [spfTexts.unusable({ term: fault.term.text })];
  return [fault.kind === 'lookups' ? spfTexts.tooManyLookups(fault) : spfTexts.tooManyVoids(fault), spfTexts.waysOut()];
}

/** What to say of a record as it is written. */
function reasonsOfText(
  record: string,
  { terms, published }: { terms: readonly SpfTerm[]; published: string },
): string[] {
  return [
    ...(terms.some(isEnd) ? [] : [spfTexts.unsaid()]),
    ...(record.length > STRING && record !== published ? [spfTexts.long({ count: record.length })] : []),
  ];
}

import { spfTexts } from './spf-texts.ts';
import { matchNetworks } from './match-networks.ts';
import { withoutRedundant } from './redundant-terms.ts';
import { WIDE } from './survey-spf.ts';
import { costOf, termsOf, type PlacedTerm, type SpfTerm, type SpfTree } from './spf-tree.ts';

/** An address whose mail of the window is from the domain's own senders, or may be. */
export interface SpfSender {
  address: string;
  messages: number;
  spfPass: number;
  /** True if a person decided that its sender is theirs. */
  isOurs: boolean;
  /** The network or service of the address; a service has an `include` of its own. */
  isService: boolean;
}

export interface SpfMail<Sender extends SpfSender = SpfSender> {
  senders: readonly Sender[];
  /** All messages of the window, and its days with reports. */
  messages: number;
  reportDays: number;
  /** True if a report is about one of the last days. (`SPF_STALE_DAYS`) */
  isCurrent: boolean;
}

/** The mail that a term is needed for. */
export interface TermUse {
  addresses: number;
  messages: number;
  /** `no`: no mail of the window needed it; `unknown`: that cannot be seen. */
  needed: 'yes' | 'no' | 'unknown';
}

/** The shortest record that still authorises every own sender, or why there is none. */
export interface SpfAdvice {
  /** Null where nothing can be advised. */
  record: string | null;
  /** Sentences, ready to show. */
  reasons: string[];
  lookups: number;
  removed: string[];
  added: string[];
}

export interface SpfJudgement<Sender extends SpfSender = SpfSender> {
  /** By the id of the term. */
  uses: Map<number, TermUse>;
  /** Addresses that no term authorises, those that fail SPF first, then by messages. */
  absent: Sender[];
  advice: SpfAdvice;
}

/** The least mail, and the fewest days with reports, that show that a term is not needed. */
export const LEAST_SPF_MAIL = { messages: 100, days: 14 };
/** Without a report about so many days, mail that needs a term may just not be seen. */
export const SPF_STALE_DAYS = 30;
/** The most addresses that a record is made longer by. */
const ADDED = 10;

/** Judges the terms of a record by the mail of a window. (rules, spf/needed-terms; rules, spf/shortest-record) */
export function judgeSpf<Sender extends SpfSender>(tree: SpfTree, mail: SpfMail<Sender>): SpfJudgement<Sender> {
  const placed = termsOf(tree);
  const matching = matchNetworks(tree);
  const covering = new Map(mail.senders.map((sender) => [sender, matching(sender.address)]));
  const { messages, reportDays, isCurrent } = mail;
  const isEnough = messages >= LEAST_SPF_MAIL.messages && reportDays >= LEAST_SPF_MAIL.days;
  const sums = sumUses(covering);
  const uses = new Map(
    placed.map((at) => [at.id, useOf(at, sums.get(at.id), tree.isComplete && isEnough && isCurrent)]),
  );
  const absent = mail.senders
    .filter((sender) => covering.get(sender)?.size === 0)
    .toSorted((a, b) => Number(passes(a)) - Number(passes(b)) || b.messages - a.messages);
  const advice = adviseRecord({ tree, placed, uses, absent, isEnough, isCurrent });
  return { uses, absent, advice };
}

/**
 * True for an address whose mail mostly passes SPF though it is in no term: another name's record authorises it, or the
 * `+all` of this one.
 */
function passes({ messages, spfPass }: SpfSender): boolean {
  return messages > 0 && 2 * spfPass >= messages;
}

type Covering = ReadonlyMap<SpfSender, ReadonlySet<number>>;

type Sums = Pick<TermUse, 'addresses' | 'messages'>;

/** The mail of the addresses that each term authorises, by the id of the term. */
function sumUses(covering: Covering): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  for (const [{ messages }, ids] of covering)
    for (const id of ids) {
      const sum = sums.get(id) ?? { addresses: 0, messages: 0 };
      sums.set(id, { addresses: sum.addresses + 1, messages: sum.messages + messages });
    }
  return sums;
}

function useOf({ term }: PlacedTerm, sums: Sums | undefined, isKnown: boolean): TermUse {
  if (sums) return { ...sums, needed: 'yes' };
  const isSeen = isKnown && term.name !== 'all' && term.qualifier === '+' && term.state !== 'ignored';
  return { addresses: 0, messages: 0, needed: isSeen && !dependsOnMessage(term) ? 'no' : 'unknown' };
}

function dependsOnMessage(term: PlacedTerm['term']): boolean {
  return termsOf({ terms: [term] }).some(({ term: { state } }) => state === 'depends');
}

interface Judged {
  tree: SpfTree;
  placed: readonly PlacedTerm[];
  uses: ReadonlyMap<number, TermUse>;
  absent: readonly SpfSender[];
  isEnough: boolean;
  isCurrent: boolean;
}

function adviseRecord(judged: Judged): SpfAdvice {
  const { tree, placed, uses, absent, isEnough, isCurrent } = judged;
  const own = placed.filter(({ parent }) => parent === null);
  const { lookups } = costOf(tree.terms);
  const none = (reason: string): SpfAdvice => ({ record: null, reasons: [reason], lookups, removed: [], added: [] });
  if (tree.record === null || tree.terms.length === 0) return none(spfTexts.noRecord());
  if (!tree.isComplete) return none(spfTexts.incomplete());
  if (!isEnough) return none(spfTexts.notEnough(LEAST_SPF_MAIL));
  if (!isCurrent) return none(spfTexts.stale({ days: SPF_STALE_DAYS }));
  const wide = own.find(({ term }) => term.name !== 'all' && term.state !== 'ignored' && isWide(term));
  if (wide) return none(spfTexts.wide({ term: wide.term.text }));
  const isOpen = own.some(({ term }) => passesAnybody(term));
  const isNeeded = ({ id, term }: PlacedTerm) => uses.get(id)?.needed !== 'no' || term.name === 'redirect';
  const needed = own.filter((at) => isNeeded(at) && at.term.state !== 'ignored'); // redirect says what others get
  const kept = withoutRedundant(needed);
  const isKept = new Set(kept);
  const missing = absent.filter((sender) => sender.isOurs && (isOpen || !passes(sender)));
  const undecided = isOpen ? absent.filter((sender) => !sender.isOurs && passes(sender)) : [];
  const hosts = missing.filter(({ isService }) => !isService);
  const added = hosts.length > ADDED ? [] : hosts.map(({ address }) => networkTerm(address));
  const dropped = own.filter((at) => !isKept.has(at)).map(({ term }) => term);
  const removed = dropped.map(({ text }) => text);
  const unreached = dropped.filter(({ state }) => state === 'ignored').length;
  const reasons = [
    ...(removed.length > unreached ? [spfTexts.removed({ count: removed.length - unreached })] : []),
    ...(unreached > 0 ? [spfTexts.unreached({ count: unreached })] : []),
    ...(added.length > 0 ? [spfTexts.added({ count: added.length })] : []),
    ...(hosts.length > ADDED ? [spfTexts.tooMany({ count: hosts.length })] : []),
    ...(missing.length > hosts.length ? [spfTexts.services({ count: missing.length - hosts.length })] : []),
    ...(isOpen ? [spfTexts.open()] : []),
    ...(undecided.length > 0 ? [spfTexts.openOnly({ count: undecided.length })] : []),
  ];
  if (reasons.length === 0) reasons.push(spfTexts.asShort());
  const terms = kept.map(({ term }) => term);
  const record = written(
    terms.map((term) => (passesAnybody(term) ? '~all' : term.text)),
    added,
    modifiersIn(tree.record),
  );
  return { record, reasons, lookups: costOf(terms).lookups, removed, added };
}

function passesAnybody({ name, qualifier, state }: SpfTerm): boolean {
  return name === 'all' && qualifier === '+' && state !== 'ignored';
}

/** True for a term by which anybody passes, other than `+all`: what else is needed cannot be seen beside it. */
function isWide(term: SpfTerm): boolean {
  if (term.qualifier !== '+') return false;
  if (term.networks.some(isWideNetwork)) return true;
  return (
    (term.name === 'include' || term.name === 'redirect') &&
    term.terms.some((below) => passesAnybody(below) || isWide(below))
  );
}

/** True for a network that the check of the record warns of. */
function isWideNetwork(network: string): boolean {
  const prefix = Number(network.slice(network.indexOf('/') + 1));
  return prefix < (network.includes(':') ? WIDE.six : WIDE.four);
}

function networkTerm(address: string): string {
  return `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
}

/** The modifiers that change nothing of who may send, such as `exp`. (RFC 7208, 6) */
function modifiersIn(record: string): string[] {
  return record.split(' ').filter((term) => /^[a-z][\w.-]*=/i.test(term) && !/^(?:v|redirect)=/i.test(term));
}

/**
 * A record with `all` or `redirect` after its terms, and the added terms before it; `~all` where there is none. The
 * modifiers stand at the end, where they belong. (RFC 7208, 6)
 */
function written(terms: readonly string[], added: readonly string[], modifiers: readonly string[]): string {
  const isEnd = (text: string) => /^(?:[+?~-]?all|redirect=.*)$/i.test(text);
  const ends = terms.filter(isEnd);
  const kept = terms.filter((text) => !isEnd(text));
  return ['v=spf1', ...kept, ...added, ...(ends.length > 0 ? ends : ['~all']), ...modifiers].join(' ');
}

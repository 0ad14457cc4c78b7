import { adviseRecord, type SpfAdvice } from './advise-spf.ts';
import { evaluateSpf } from './evaluate-spf.ts';
import { matchNetworks } from './match-networks.ts';
import { LEAST_SPF_MAIL, mostlyPasses, ownMessagesOf, type SpfMail, type SpfSender, type TermUse } from './spf-mail.ts';
import { termsOf, type PlacedTerm, type SpfTerm, type SpfTree } from './spf-tree.ts';

export interface SpfJudgement<Sender extends SpfSender = SpfSender> {
  /** By the id of the term. */
  uses: Map<number, TermUse>;
  /** Addresses that no term authorises, those that fail SPF first, then by messages. */
  absent: Sender[];
  advice: SpfAdvice;
}

/** Judges the terms of a record by the mail of a window. (rules, spf/needed-terms; rules, spf/shortest-record) */
export function judgeSpf<Sender extends SpfSender>(tree: SpfTree, mail: SpfMail<Sender>): SpfJudgement<Sender> {
  const { senders, ownDays, isCurrent, shared } = mail;
  const placed = termsOf(tree);
  const ownMessages = senders.reduce((sum, sender) => sum + ownMessagesOf(sender), 0);
  const isEnough = ownMessages >= LEAST_SPF_MAIL.messages && ownDays >= LEAST_SPF_MAIL.days;
  const sums = sumUses(tree, senders, shared?.addresses ?? []);
  const isKnown = tree.isComplete && isEnough && isCurrent && (shared?.unseen ?? []).length === 0;
  const uses = new Map(placed.map((at) => [at.id, useOf(at, sums.get(at.id), isKnown)]));
  const evaluate = evaluateSpf(tree);
  const absent = senders
    .filter(({ address }) => evaluate(address)?.result !== '+')
    .toSorted((a, b) => Number(mostlyPasses(a)) - Number(mostlyPasses(b)) || b.messages - a.messages);
  const advice = adviseRecord({ tree, placed, uses, absent, ownMessages, isEnough, isCurrent, shared, evaluate });
  return { uses, absent, advice };
}

type Sums = Pick<TermUse, 'addresses' | 'messages'>;

/**
 * The mail of the addresses that each term authorises, by the id of the term; without any where it only authorises
 * senders of other domains.
 */
function sumUses(tree: SpfTree, senders: readonly SpfSender[], others: readonly string[]): Map<number, Sums> {
  const matching = matchNetworks(tree);
  const sums = new Map<number, Sums>();
  for (const { address, messages } of senders)
    for (const id of matching(address)) {
      const sum = sums.get(id) ?? { addresses: 0, messages: 0 };
      sum.addresses += 1;
      sum.messages += messages;
      sums.set(id, sum);
    }
  for (const id of others.flatMap((address) => [...matching(address)]))
    if (!sums.has(id)) sums.set(id, { addresses: 0, messages: 0 });
  return sums;
}

function useOf({ term }: PlacedTerm, sums: Sums | undefined, isKnown: boolean): TermUse {
  if (sums) return { ...sums, needed: 'yes' };
  const isSeen = isKnown && term.name !== 'all' && term.qualifier === '+' && term.state !== 'ignored';
  return { addresses: 0, messages: 0, needed: isSeen && !dependsOnMessage(term) ? 'no' : 'unknown' };
}

function dependsOnMessage(term: SpfTerm): boolean {
  return termsOf({ terms: [term] }).some(({ term: { state } }) => state === 'depends');
}

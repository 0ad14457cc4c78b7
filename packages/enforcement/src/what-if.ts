import type { Day, SenderDecision } from '@dmarc-ledger/vocabulary';
import {
  enforcementSteps,
  isFailing,
  judgedMail,
  stepRules,
  type EnforcementStep,
  type MailGroup,
  type StepRule,
} from './step.ts';

/** Who sends from an address, and what the organization decided about that sender for the domain. */
export interface SenderOfAddress {
  /** Identifies the sender: two addresses with the same key are one sender. */
  key: string;
  /** The recognised service; null for a network. */
  slug: string | null;
  name: string;
  decision: SenderDecision | null;
  /** True for a service that relays mail by nature. */
  isForwarder: boolean;
  /** What the mail of the sender suggests that it is; null where it does not tell. */
  suggestion: SenderDecision | null;
  /** What has passed since mail of the sender last failed; absent where nothing has. */
  passingSince?: { lastFailed: Day; messages: number } | undefined;
  /** True if mail of the domain from this address has ever passed DMARC. */
  hasPassed: boolean;
}

export interface AffectedSender extends Omit<SenderOfAddress, 'hasPassed'> {
  addresses: number;
  messages: number;
  hasPassed: boolean;
  /** True if this keeps the step from being safe. */
  isBlocker: boolean;
}

/** Newly affected messages by decision. */
export interface ByDecision {
  ours: number;
  forwarded: number;
  not_ours: number;
  undecided: number;
}

/** What a step would have done to the mail of the window. All figures are messages. */
export interface StepEffect {
  step: EnforcementStep;
  messages: number;
  failing: number;
  newlyAffected: number;
  byDecision: ByDecision;
  /** Most messages first; equal ones by name, then by key. */
  senders: AffectedSender[];
}

/** An undecided network that never passed blocks a step from this share of the step's messages on. */
export const SHARE_TO_BLOCK = 0.01;

/** Computes every step from the mail of a window. (rules, enforcement/steps; rules, enforcement/fixes) */
export function stepEffects(
  groups: readonly MailGroup[],
  senderOf: (address: string) => SenderOfAddress,
): StepEffect[] {
  return enforcementSteps.map((step) => effectOf(step, groups, senderOf));
}

/** The senders that the verdict on a step is about. (rules, enforcement/verdict) */
export function judgedSenders(
  step: EnforcementStep,
  groups: readonly MailGroup[],
  senderOf: (address: string) => SenderOfAddress,
): AffectedSender[] {
  const { applied, affected } = mailOf(judgedMail(step), groups);
  return sendersOf(affected, senderOf, sum(applied));
}

/**
 * The own senders of mail that receivers reject now: undecided ones that look like a forwarder or a stranger, and those
 * that forward by nature, are left out. (rules, enforcement/own-mail-that-is-rejected)
 */
export function refusedSenders(
  mail: readonly { address: string; messages: number }[],
  senderOf: (address: string) => SenderOfAddress,
): AffectedSender[] {
  const groups = mail.map((each) => ({ ...each, scope: 'domain' as const, fate: 'reject' as const }));
  return sendersOf(groups, senderOf, 0).filter(
    ({ decision, isForwarder, suggestion }) =>
      decision === 'ours' || (decision === null && !isForwarder && (suggestion === null || suggestion === 'ours')),
  );
}

function mailOf({ scopes, affects }: Pick<StepRule, 'scopes' | 'affects'>, groups: readonly MailGroup[]) {
  const applied = groups.filter(({ scope }) => scopes.includes(scope));
  return { applied, affected: applied.filter(({ fate }) => affects.includes(fate)) };
}

function effectOf(
  step: EnforcementStep,
  groups: readonly MailGroup[],
  senderOf: (address: string) => SenderOfAddress,
): StepEffect {
  const { applied, affected } = mailOf(stepRules[step], groups);
  const messages = sum(applied);
  const senders = sendersOf(affected, senderOf, messages);
  return {
    step,
    messages,
    failing: sum(applied.filter(({ fate }) => isFailing(fate))),
    newlyAffected: sum(affected),
    byDecision: byDecision(senders),
    senders,
  };
}

function sendersOf(
  affected: readonly MailGroup[],
  senderOf: (address: string) => SenderOfAddress,
  whole: number,
): AffectedSender[] {
  const senders = new Map<string, Omit<AffectedSender, 'addresses' | 'isBlocker'> & { seen: Set<string> }>();
  for (const { address, messages } of affected) {
    if (messages === 0) continue;
    if (address === null) throw new TypeError('mail that a step affects has an address');
    const sender = senderOf(address);
    const known = senders.get(sender.key) ?? { ...sender, messages: 0, seen: new Set() };
    known.messages += messages;
    known.hasPassed ||= sender.hasPassed;
    known.seen.add(address);
    senders.set(sender.key, known);
  }
  return [...senders.values()]
    .map(({ seen, ...sender }) => ({ ...sender, addresses: seen.size, isBlocker: isBlocker(sender, whole) }))
    .toSorted((a, b) => b.messages - a.messages || compare(a.name, b.name) || compare(a.key, b.key));
}

/**
 * Whether a sender of newly affected mail keeps a step from being safe. (rules, enforcement/blockers)
 * @param whole all messages that the policy of the step applies to
 */
export function isBlocker(
  {
    decision,
    slug,
    isForwarder,
    hasPassed,
    messages,
  }: Pick<AffectedSender, 'decision' | 'slug' | 'isForwarder' | 'hasPassed' | 'messages'>,
  whole: number,
): boolean {
  if (decision !== null) return decision === 'ours';
  if (isForwarder) return false;
  return slug !== null || hasPassed || messages >= whole * SHARE_TO_BLOCK;
}

function byDecision(senders: readonly AffectedSender[]): ByDecision {
  const of = (decision: SenderDecision | null) => sum(senders.filter((sender) => sender.decision === decision));
  return { ours: of('ours'), forwarded: of('forwarder'), not_ours: of('not_ours'), undecided: of(null) };
}

function sum(groups: readonly { messages: number }[]): number {
  return groups.reduce((total, { messages }) => total + messages, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

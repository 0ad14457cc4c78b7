import type { RecordAlignment } from './alignment.ts';
import { isForwardingLabel } from './forwarding-label.ts';
import type { OverrideReason, ReportRecord } from './report.ts';
import { brokenSignatures, type HasPassed } from './signatures.ts';
import { isCompliant } from './verdict.ts';

export type RecordClass = 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';

/** The class of a record, and for forwarded mail whether the forwarding is proved. */
export interface Classification {
  class: RecordClass;
  /** False for every other class, and for forwarding that is only inferred. */
  isProved: boolean;
}

/** The known facts about a source. Each may be missing: a fact that was not looked up raises no flag. */
export interface SourceFacts {
  sender?: { forwarder: boolean; category: string };
  abuseStatus?: 'clean' | 'suspicious' | 'malicious' | 'unknown';
  /** The tiers of the listings, each once. */
  listedTiers?: readonly number[];
  torExit?: boolean;
  /** Undefined: not looked up. Null: looked up, and there is none. */
  ptr?: { name: string; confirmed: boolean | null; generic: boolean } | null;
}

interface Evidence {
  points: number;
  /** F3, F7 or F8: something besides the mail's own results speaks of a relay. */
  hasRelay: boolean;
  /** F3, F4 or F7: nothing that a sender can write. */
  isProved: boolean;
}

const INTERMEDIARY_CATEGORIES = new Set(['mailbox', 'security_gateway', 'mailing_list', 'relay']);
const RECEIVER_SAYS_FORWARDED = new Set(['mailing_list', 'trusted_forwarder', 'forwarded']);
const ARC_PASS = 'arc=pass';
const FORWARDED_FROM = 3;
const SUSPICIOUS_FROM = 2;

const FORWARDED: Classification = { class: 'likely_forwarded', isProved: true };

/**
 * Classifies a record by its verdict, its results and the facts about its source. The first match wins. (rules,
 * classification/class-of-a-record)
 * @param hasPassed answers for the broken signatures of the record; without it none has passed before
 */
export function classifyRecord(
  record: ReportRecord,
  alignment: RecordAlignment,
  facts: SourceFacts = {},
  hasPassed: HasPassed = () => false,
): Classification {
  if (isCompliant(record.policyEvaluated)) return unforwarded('authenticated');
  if (receiverSaysForwarded(record.policyEvaluated.reasons)) return FORWARDED;
  if (hasHardFlag(facts)) return unforwarded('suspicious');
  const soft = softFlags(facts);
  const { points, hasRelay, isProved } = forwardingEvidence(record, alignment, facts, hasPassed);
  if (hasRelay && points - soft >= FORWARDED_FROM) return { class: 'likely_forwarded', isProved };
  return unforwarded(soft >= SUSPICIOUS_FROM ? 'suspicious' : 'needs_review');
}

function unforwarded(named: RecordClass): Classification {
  return { class: named, isProved: false };
}

/** F1 or F2. Only the receiver writes the override reason, so a spoofer cannot. */
export function receiverSaysForwarded(reasons: readonly OverrideReason[] | null): boolean {
  return (
    reasons?.some(({ type, comment }) => RECEIVER_SAYS_FORWARDED.has(type) || saysArcPassed(comment ?? '')) ?? false
  );
}

/** Whether a token of the comment, outside of brackets, is `arc=pass`: other words may quote it. */
function saysArcPassed(comment: string): boolean {
  return withoutBrackets(comment.toLowerCase())
    .split(/[;,\s]+/)
    .includes(ARC_PASS);
}

/** Brackets may be nested; one that is not closed hides the rest. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let kept = '';
  for (const char of text) {
    if (char === '(') depth += 1;
    if (depth === 0) kept += char;
    if (char === ')') depth = Math.max(0, depth - 1);
  }
  return kept;
}

/** A listed but genuine forwarder is no attacker, unless its address space is hijacked or it hosts malware (tier 4). */
function hasHardFlag({ sender, abuseStatus, listedTiers = [], torExit = false }: SourceFacts): boolean {
  if (abuseStatus === 'malicious' || torExit || listedTiers.includes(4)) return true;
  return listedTiers.includes(3) && !sender?.forwarder;
}

function softFlags({ abuseStatus, listedTiers, ptr }: SourceFacts): number {
  let weight = 0;
  if (abuseStatus === 'suspicious') weight += 2;
  if (listedTiers?.includes(2)) weight += 2;
  if (ptr === null) weight += 1;
  if (ptr?.generic) weight += 1;
  if (ptr?.confirmed === false) weight += 1;
  return weight;
}

/**
 * Points for ordinary relaying: a failed author identity beside a passing foreign one, and the kind of sender. (rules,
 * classification/forwarding-evidence)
 */
function forwardingEvidence(
  record: ReportRecord,
  alignment: RecordAlignment,
  { sender, ptr }: SourceFacts,
  hasPassed: HasPassed,
): Evidence {
  const spf = record.authResults.spf?.map((result, i) => ({ ...result, aligned: alignment.spf?.[i] ?? false })) ?? [];
  const dkim =
    record.authResults.dkim?.map((result, i) => ({ ...result, aligned: alignment.dkim?.[i] ?? false })) ?? [];
  const names = [record.identifiers.envelopeFrom, ...spf.map(({ domain }) => domain), ptr?.name];
  const isForwarder = sender?.forwarder === true; // F3
  const isContradicted = dkim.some(({ aligned, result }) => aligned && result === 'pass'); // F4
  const isBroken = brokenSignatures(record, alignment).some(hasPassed); // F5
  const isRelay = sender !== undefined && INTERMEDIARY_CATEGORIES.has(sender.category); // F7
  const isNamedRelay = names.some((name) => name && isForwardingLabel(name)); // F8
  const isSpfBroken = spf.some(({ aligned, result }) => aligned && result !== 'pass'); // F9
  const points =
    3 * Number(isForwarder) +
    3 * Number(isContradicted) +
    2 * Number(isBroken) +
    Number(foreignPass(spf, dkim)) + // F6
    Number(isRelay) +
    Number(isNamedRelay) +
    Number(isSpfBroken);
  return {
    points,
    hasRelay: isForwarder || isRelay || isNamedRelay,
    isProved: isForwarder || isContradicted || isRelay,
  };
}

/** A passing identity that is not the author's. A HELO name does not count as an identity here. */
function foreignPass(
  spf: { aligned: boolean; result: string; scope: string | null }[],
  dkim: { aligned: boolean; result: string }[],
): boolean {
  return (
    spf.some(({ aligned, result, scope }) => !aligned && result === 'pass' && scope !== 'helo') ||
    dkim.some(({ aligned, result }) => !aligned && result === 'pass')
  );
}

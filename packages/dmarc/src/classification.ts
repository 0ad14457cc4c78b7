import type { RecordAlignment } from './alignment.ts';
import { isForwardingLabel } from './forwarding-label.ts';
import type { ReportRecord } from './report.ts';
import { isCompliant } from './verdict.ts';

export type RecordClass = 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';

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
  intermediary: boolean;
}

const INTERMEDIARY_CATEGORIES = new Set(['mailbox', 'security_gateway', 'mailing_list', 'relay']);
const BROKEN_DKIM = new Set(['fail', 'neutral', 'policy', 'permerror', 'temperror']);
const RECEIVER_SAYS_FORWARDED = new Set(['mailing_list', 'trusted_forwarder', 'forwarded']);
const ARC_PASS = /\barc\s*=\s*pass\b/i;
const FORWARDED_FROM = 3;
const SUSPICIOUS_FROM = 2;

/**
 * Classifies a record by its verdict, its results and the facts about its source. The first match wins. (rules,
 * classification/class-of-a-record)
 */
export function classifyRecord(record: ReportRecord, alignment: RecordAlignment, facts: SourceFacts = {}): RecordClass {
  if (isCompliant(record.policyEvaluated)) return 'authenticated';
  if (receiverSaysForwarded(record)) return 'likely_forwarded';
  if (hasHardFlag(facts)) return 'suspicious';
  const soft = softFlags(facts);
  const { points, intermediary } = forwardingEvidence(record, alignment, facts);
  if (intermediary && points - soft >= FORWARDED_FROM) return 'likely_forwarded';
  return soft >= SUSPICIOUS_FROM ? 'suspicious' : 'needs_review';
}

/** Only the receiver writes the override reason, so a spoofer cannot. */
function receiverSaysForwarded({ policyEvaluated: { reasons } }: ReportRecord): boolean {
  return (
    reasons?.some(({ type, comment }) => RECEIVER_SAYS_FORWARDED.has(type) || ARC_PASS.test(comment ?? '')) ?? false
  );
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
function forwardingEvidence(record: ReportRecord, alignment: RecordAlignment, { sender, ptr }: SourceFacts): Evidence {
  const spf = record.authResults.spf?.map((result, i) => ({ ...result, aligned: alignment.spf?.[i] ?? false })) ?? [];
  const dkim =
    record.authResults.dkim?.map((result, i) => ({ ...result, aligned: alignment.dkim?.[i] ?? false })) ?? [];
  const evidence: Evidence = { points: 0, intermediary: false };
  const origin = (points: number, found: boolean) => {
    if (found) evidence.points += points;
  };
  const intermediary = (points: number, found: boolean | undefined) => {
    if (!found) return;
    evidence.points += points;
    evidence.intermediary = true;
  };
  intermediary(3, sender?.forwarder);
  origin(
    3,
    dkim.some(({ aligned, result }) => aligned && result === 'pass'),
  );
  origin(
    2,
    dkim.some(({ aligned, result }) => aligned && BROKEN_DKIM.has(result)),
  );
  intermediary(1, foreignPass(spf, dkim));
  intermediary(1, sender && INTERMEDIARY_CATEGORIES.has(sender.category));
  const names = [record.identifiers.envelopeFrom, ...spf.map(({ domain }) => domain), ptr?.name];
  intermediary(
    1,
    names.some((name) => name && isForwardingLabel(name)),
  );
  origin(
    1,
    spf.some(({ aligned, result }) => aligned && result !== 'pass'),
  );
  return evidence;
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

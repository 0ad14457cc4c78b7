export {
  type Blocklist,
  type KeyNeed,
  type ListCategory,
  type ListingCode,
  type SelfTest,
  type Tier,
} from './blocklists/blocklist.ts';
export { builtInLists, deadZones } from './blocklists/built-in-lists.ts';
export { checkAgainAfter, isUnlisted } from './blocklists/check-again.ts';
export { interpretAnswer, type ListResult, type ListStatus, type ZoneAnswer } from './blocklists/interpret-answer.ts';
export {
  deservesFullCheck,
  FULL_CHECK_MESSAGES,
  listsToAsk,
  type IpFamily,
  type ListToAsk,
} from './blocklists/lists-to-ask.ts';
export { readBlocklists, type ReadBlocklists } from './blocklists/read-blocklists.ts';
export { reasonOf } from './blocklists/reason-of.ts';
export type { BlocklistSeverity } from './blocklists/severity.ts';
export {
  withStandingListings,
  type KnownResult,
  type ListAnswers,
  type SuspendedList,
} from './blocklists/standing-listings.ts';
export { judgeBlocklists, type BlocklistVerdict, type CheckScope, type Urgency } from './blocklists/verdict.ts';
export {
  afterResult,
  afterTest,
  canariesOf,
  untestedZone,
  type Canary,
  type ZoneHealth,
} from './blocklists/zone-health.ts';
export { abuseStatusOf, NEVER_SCORED, SUSPICIOUS_FROM, type AbuseStatus } from './reputation/abuse-status.ts';
export type { AddressFacts, PtrFact } from './reputation/address-facts.ts';
export { classificationDescription, type ClassifiedSource } from './reputation/classification-description.ts';
export { classificationFacts, redFlagsOf, type ClassificationFacts, type RedFlag } from './reputation/red-flags.ts';
export { reputationReason } from './reputation/reputation-reason.ts';
export { spamSignals, type SpamSignal } from './reputation/spam-signals.ts';
export { isGenericPtr } from './reverse-dns/generic-ptr.ts';
export {
  type EvidenceKind,
  type MailGroup,
  type PtrName,
  type SenderEvidence,
  type SenderStrength,
  type Witness,
} from './senders/evidence.ts';
export { identifySender, isNamed, type IdentifiedSender } from './senders/identify-sender.ts';
export { serviceOf, servicesNamed } from './senders/named-services.ts';
export { compileSenders, knownSenders, type SenderMatch, type SenderMatcher } from './senders/sender-matcher.ts';
export type { Sender, SenderCategory, SenderEntry } from './senders/sender.ts';

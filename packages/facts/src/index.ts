export { findChecks, type StoredCheck } from './domains/checks.ts';
export { countsStill, keptAnswer, lastAnswer } from './domains/last-answer.ts';
export { domainFactsOf, findingsOf, publishedPolicy } from './domains/domain-facts.ts';
export { findDigestFacts, type DigestQuestion } from './digests/digest-facts.ts';
export { readHealthBody, type DomainHealthBody } from './domains/health-body.ts';
export { findItemDomains } from './domains/item-domains.ts';
export { findOpenEvents } from './domains/open-events.ts';
export { findEvidence, type EvidenceSubject, type StoredEvidence } from './domains/evidence.ts';
export { findHandedOver, pairName } from './domains/handed-over.ts';
export { findHealthFacts, findReportedPolicy } from './domains/health-facts.ts';
export { newestPolicy } from './domains/newest-policy.ts';
export { findKeySenders, type KeySender } from './domains/key-senders.ts';
export { relayingOf } from './senders/relaying-of.ts';
export { isOwnSource, passingPairs } from './domains/passing-pairs.ts';
export { findPlacement, type Placement } from './domains/placement.ts';
export {
  findAddressSenders,
  findPassingSince,
  type AddressSender,
  type PassingSince,
} from './enforcement/affected-senders.ts';
export { findMailFates, mailFromRecords, staleDays, type MailOfDays } from './enforcement/mail-fates.ts';
export { findDomainsToCompute } from './enforcement/missing-days.ts';
export { findRefusedMail } from './enforcement/refused-mail.ts';
export { findStepMail, type StepOfDomain } from './enforcement/step-senders.ts';
export { findFirstDay, findHistories } from './scores/histories.ts';
export { findScoreFacts, type ScoreFacts } from './scores/score-facts.ts';
export { addressFacts, judgedBy, senderOf, sourceFacts } from './sources/address-facts.ts';
export { isOfDomain } from './sources/days-of-source.ts';
export { findEnrichments, type Enrichment } from './sources/enrichments.ts';
export {
  findDecidedAddresses,
  findSenderDecisions,
  findSenderKeys,
  type DecidedSender,
  type StoredDecision,
} from './senders/sender-decisions.ts';
export { isNetwork, senderKey } from './senders/sender-key.ts';
export { sourceClassOf, sumColumns, type SourceSums } from './sources/source-class.ts';
export { findSourceKnowledge, type SourceKnowledge } from './sources/source-knowledge.ts';
export { findStandings, type SourceStanding } from './sources/standings.ts';

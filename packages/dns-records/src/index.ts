export type { Ask, Fetched, Found, MailServer, Presented, ServerAnswer, TlsaRecord, Validated } from './ask.ts';
export { checks } from './checks/all-checks.ts';
export { aprfNames } from './checks/aprf-check.ts';
export { type Check, type CheckContext, type FetchedPolicy, type Finding } from './checks/check.ts';
export { details } from './checks/details.ts';
export { readKeptEvidence, type DomainEvidence } from './domain-evidence.ts';
export { isChainMatched, type PresentedChain } from './dane/match-chain.ts';
export { isBroken, readDmarcRecord, type DmarcRecord } from './records/dmarc-record.ts';
export { addReportAddress, addTlsReportAddress } from './records/add-report-address.ts';
export { isOurs, readAddress, readReportUris } from './records/report-address.ts';
export { readTagList } from './records/tag-list.ts';
export { readTlsReportUris } from './records/tls-rpt-record.ts';
export { organizationalDomainOf, policyFor, walkDmarc, walkTargets, type DmarcWalk } from './records/tree-walk.ts';
export { isVerified, settleState, type KeptState } from './states/settle-state.ts';
export {
  verifyAprf,
  verifyDmarc,
  verifyTlsRpt,
  type Verification,
  type VerificationState,
} from './states/verification.ts';
export { readUnauthorizedNote } from './checks/unauthorized-note.ts';
export {
  judgeKeys,
  keyFindingCodes,
  keyStates,
  type JudgedKey,
  type KeyFacts,
  type RecentMail,
  type KeyFinding,
  type KeyFindingCode,
} from './keys/judge-keys.ts';
export { haveOneStem, successorsByMail, type SelectorDay, type SelectorUse } from './keys/handover.ts';
export { goneSince, KEPT_KEYS, readKeys, type KeptKey } from './keys/kept-keys.ts';
export { keyName, type Selector } from './keys/selector.ts';
export { keyTexts } from './keys/key-texts.ts';
export { readServerAnswers, type AnswersByProtocol, type NameAnswers } from './servers/server-answers.ts';
export type { SpfAdvice } from './spf/advise-spf.ts';
export { judgeSpf, type SpfJudgement } from './spf/judge-spf.ts';
export { faultOf } from './spf/spf-faults.ts';
export { passesAnybody } from './spf/open-terms.ts';
export {
  LEAST_SPF_MAIL,
  ownMessagesOf,
  SPF_STALE_DAYS,
  type ReturnPath,
  type SharedUse,
  type SpfMail,
  type SpfSender,
  type TermUse,
} from './spf/spf-mail.ts';
export { matchNetworks } from './spf/match-networks.ts';
export { readSpfTree } from './spf/read-spf-tree.ts';
export { spfTexts } from './spf/spf-texts.ts';
export {
  costOf,
  SPF_TREE_LIMITS,
  spfTermNames,
  spfTermStates,
  termsOf,
  type PlacedTerm,
  type SpfTerm,
  type SpfTermState,
  type SpfTree,
} from './spf/spf-tree.ts';

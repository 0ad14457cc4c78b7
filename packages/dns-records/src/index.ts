export type { Ask, Fetched, Found, MailServer, Presented, TlsaRecord, Validated } from './ask.ts';
export { checks } from './checks/all-checks.ts';
export { aprfNames } from './checks/aprf-check.ts';
export {
  type Check,
  type CheckContext,
  type DkimKeyFact,
  type FetchedPolicy,
  type Finding,
  type Selector,
  type SpfFacts,
} from './checks/check.ts';
export { details } from './checks/details.ts';
export { isChainMatched, type PresentedChain } from './dane/match-chain.ts';
export type { DmarcRecord } from './records/dmarc-record.ts';
export { readAddress } from './records/report-address.ts';
export { policyFor, walkDmarc, walkTargets, type DmarcWalk } from './records/tree-walk.ts';
export { isVerified, settleState, type KeptState } from './states/settle-state.ts';
export {
  verifyAprf,
  verifyDmarc,
  verifyTlsRpt,
  type Verification,
  type VerificationState,
} from './states/verification.ts';

export { generateApiKey, hashSecret, parseApiKey, type ApiKey } from './api-key.ts';
export { readCredentials, type Credentials } from './bearer-token.ts';
export { contentHash } from './content-hash.ts';
export { CodedError, errorCode, errorMessage, isFinal, type Refusal } from './coded-error.ts';
export { connectionFailure, failureReason, type Server } from './connection-failure.ts';
export {
  addDays,
  dayOf,
  daysBetween,
  instantText,
  isDay,
  startOfDay,
  storableDay,
  type Day,
  type DayRange,
} from './day.ts';
export { isDomainName, normalizeDomain, readDomainName, trimAsciiSpace, unicodeDomain } from './domain-name.ts';
export {
  checkStatuses,
  isProtocol,
  protocolNames,
  protocols,
  type CheckStatus,
  type DkimKeyFact,
  type DkimKeyKind,
  type DmarcPolicy,
  type EffectivePolicy,
  type EventSeverity,
  type Protocol,
  type SpfFacts,
} from './domain-checks.ts';
export { alertTypes, type AlertCode, type AlertPage, type AlertType } from './enums/alert-types.ts';
export { codesOf, type DisplaySeverity, type EnumEntry } from './enums/entry.ts';
export { vocabulary, type VocabularyEntry } from './enums/index.ts';
export { actionItemSeverities, alertSeverities, blocklistSeverities, sourceClasses } from './enums/severities.ts';
export { dmarcPolicies, grades, healthStates, reputationStatuses, verificationStates } from './enums/states.ts';
export { escapeHtml } from './escape-html.ts';
export { armFailPoints, failPoint, FailPointError, failPoints, isFailPointSpec, type FailPoint } from './fail-point.ts';
export type { FolderProgress } from './folder-progress.ts';
export { geoAttribution } from './geo-attribution.ts';
export { hourBegin } from './hour.ts';
export { HttpProblem, type ProblemAnswer, type ProblemBody } from './http-problem.ts';
export { idText, newId, parseId } from './id.ts';
export { canonicalIp } from './ip-address.ts';
export { groupsOf } from './ip-groups.ts';
export { countOf, isJsonObject, textField, textOf, textsField, wholeOf } from './json/json-fields.ts';
export { JsonError, parseJson, type Json, type JsonCode, type JsonObject } from './json/parse-json.ts';
export {
  keyScopes,
  permissions,
  permissionsOf,
  roles,
  type KeyScope,
  type Permission,
  type Role,
} from './permission.ts';
export {
  isChat,
  kindOfUrl,
  notificationKinds,
  shownAddress,
  type ChatKind,
  type NotificationKind,
} from './notification-kind.ts';
export { comparableAddress, isMailAddress, isPublicMailAddress, normalizeAddress } from './mail-address.ts';
export { pathIn, pathOf, type Link, type Page, type Place } from './places.ts';
export { fieldsOf, isOneOf, keysOf, present } from './present.ts';
export { rate } from './rate.ts';
export { isAhead, LAST_INSTANT, type ReportArrival } from './report-arrival.ts';
export { requestedHost } from './requested-host.ts';
export { senderDecisions, type SenderDecision } from './sender-decision.ts';
export { counted, groupedDigits } from './sentence-number.ts';
export { cutText, markedText, printableText, storableText } from './text.ts';
export { repeatEvery, untilAborted } from './until-aborted.ts';
export { WarningList, warningText, type Warning } from './warning.ts';
export { WorkSlices } from './work-slices.ts';

export { Connection, KEEP_ALIVE, SERVER_KEEP_ALIVE } from './connection.ts';
export { openDatabase, type Database, type Db } from './database.ts';
export { databaseEnv } from './env.ts';
export { GradualPool } from './gradual-pool.ts';
export { inspectDatabase, type DatabaseSettings } from './inspect-database.ts';
export { onNotification, type Listener } from './listen.ts';
export { isMigrated, migrate, migrationStatus } from './migrate.ts';
export { keepMonths, type KeptMonths } from './months/keep-months.ts';
export { splitByMonth, type SplitTable } from './months/split-by-month.ts';
export { replaceTables, storageOf } from './months/table-catalog.ts';
export { openReads, type Reads } from './reads.ts';
export { webRole } from './roles.ts';
export { isDataError, isStorageFailure } from './storage-failure.ts';
export { isUnstorable } from './total-limit-error.ts';
export type { Session, Statement } from './session.ts';
export { inSnapshot } from './snapshot.ts';
export { transact } from './transaction.ts';
export type { DigestSubscriptionTable } from './tables/digest.ts';
export type { DeliveryTargetTable, NotificationState } from './tables/notification.ts';
export type { AppliedPolicy, DomainCheckTable, DomainEvidenceTable } from './tables/domain.ts';
export type { AbuseStatusName, IpEnrichmentTable, SourceStandingTable } from './tables/enrichment.ts';
export type {
  MessagePart,
  MessageSource,
  MessageState,
  PayloadTable,
  RawMessageTable,
  ReportKind,
} from './tables/intake.ts';
export type {
  AfterIntake,
  ItemAction,
  MailboxProgressTable,
  MailboxState,
  MailboxTable,
  MailboxTls,
  OauthSettings,
} from './tables/mailbox.ts';
export type { AprfEntryFacts, AprfFacts, FailureFacts, TlsFacts, TlsPolicyFacts } from './tables/other-facts.ts';
export type { InstallationFinding, InstallationPart, LinkPurpose, SignedInBy } from './tables/people.ts';
export type { DomainSource, ReportRecordTable, ReportTable } from './tables/report.ts';
export type { SenderDecisionTable } from './tables/sender.ts';
export type { Tables } from './tables/tables.ts';

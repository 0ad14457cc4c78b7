import type { ApiKeyTable, AppUserTable, OrganizationTable, PlanTable } from './access.ts';
import type { DeliveryTargetTable, EventDeliveryTable } from './notification.ts';
import type { DigestSubscriptionTable } from './digest.ts';
import type {
  DkimSelectorDayTable,
  DkimFailureTable,
  DkimPassTable,
  DkimSelectorTable,
  DomainCheckChangeTable,
  DomainCheckTable,
  DomainEvidenceTable,
  DomainHealthTable,
  SendingSubdomainTable,
  UnjudgedSignatureTable,
} from './domain.ts';
import type {
  AwaitedAddressTable,
  BlocklistResultTable,
  BlocklistZoneTable,
  IpEnrichmentTable,
  IpInterestTable,
  LookupBudgetTable,
  SourceStandingCountTable,
  SourceStandingTable,
  UnjudgedSourceTable,
} from './enrichment.ts';
import type { EventBurstTable, EventConditionTable, EventSourceTable, EventTable, EventWatchTable } from './event.ts';
import type { ChoreTable, OutboxTable, PayloadTable, RawMessageTable, RemovedBlobTable } from './intake.ts';
import type { MailboxDayTable, MailboxItemTable, MailboxProgressTable, MailboxTable } from './mailbox.ts';
import type {
  AprfReportTable,
  AprfRowTable,
  FailureReportTable,
  TlsrptFailureTable,
  TlsrptReportTable,
} from './other.ts';
import type {
  InstallationStateTable,
  OperatorTable,
  PersonIdentityTable,
  PersonTable,
  SessionTable,
  SignInAttemptTable,
  SignInLinkTable,
  UploadTicketTable,
} from './people.ts';
import type {
  DomainTable,
  ParseWarningTable,
  RecordDetailTable,
  ReporterTable,
  ReportRecordTable,
  ReportRevisionTable,
  ReportTable,
  StoredRecordTable,
  UnjudgedReportTable,
} from './report.ts';
import type {
  DomainDayTable,
  EnforcementDayTable,
  DomainTotalTable,
  OrgDayTable,
  OrgReportCountDayTable,
  OrgTotalTable,
  ReportCountDayTable,
  ReportCountReporterTable,
  RollupDirtyTable,
  ScoreSnapshotTable,
  SourceAddressTable,
  SourceDomainDayTable,
  SourceDomainTable,
  SourceTotalTable,
} from './rollup.ts';
import type { SenderDecisionChangeTable, SenderDecisionTable } from './sender.ts';
import type { UploadHourTable, UploadUnderWayTable } from './upload.ts';
import type { UsageBatchTable, UsageHourTable } from './usage.ts';

/** Every table and view used in queries, by its name in PostgreSQL. */
export interface Tables {
  plan: PlanTable;
  organization: OrganizationTable;
  app_user: AppUserTable;
  api_key: ApiKeyTable;
  person: PersonTable;
  person_identity: PersonIdentityTable;
  session: SessionTable;
  sign_in_link: SignInLinkTable;
  sign_in_attempt: SignInAttemptTable;
  upload_ticket: UploadTicketTable;
  operator: OperatorTable;
  installation_state: InstallationStateTable;
  raw_message: RawMessageTable;
  payload: PayloadTable;
  outbox: OutboxTable;
  removed_blob: RemovedBlobTable;
  chore: ChoreTable;
  mailbox: MailboxTable;
  mailbox_progress: MailboxProgressTable;
  mailbox_item: MailboxItemTable;
  mailbox_day: MailboxDayTable;
  event: EventTable;
  delivery_target: DeliveryTargetTable;
  event_delivery: EventDeliveryTable;
  event_condition: EventConditionTable;
  event_burst: EventBurstTable;
  event_watch: EventWatchTable;
  event_source: EventSourceTable;
  domain_check: DomainCheckTable;
  domain_check_change: DomainCheckChangeTable;
  domain_evidence: DomainEvidenceTable;
  dkim_failure: DkimFailureTable;
  dkim_pass: DkimPassTable;
  dkim_selector: DkimSelectorTable;
  dkim_selector_day: DkimSelectorDayTable;
  sending_subdomain: SendingSubdomainTable;
  domain_health: DomainHealthTable;
  ip_enrichment: IpEnrichmentTable;
  blocklist_result: BlocklistResultTable;
  blocklist_zone: BlocklistZoneTable;
  lookup_budget: LookupBudgetTable;
  awaited_address: AwaitedAddressTable;
  ip_interest: IpInterestTable;
  source_standing: SourceStandingTable;
  source_standing_count: SourceStandingCountTable;
  unjudged_signature: UnjudgedSignatureTable;
  unjudged_source: UnjudgedSourceTable;
  domain: DomainTable;
  reporter: ReporterTable;
  report: ReportTable;
  report_revision: ReportRevisionTable;
  stored_record: StoredRecordTable;
  record_detail: RecordDetailTable;
  report_record: ReportRecordTable;
  parse_warning: ParseWarningTable;
  unjudged_report: UnjudgedReportTable;
  source_domain_day: SourceDomainDayTable;
  source_domain: SourceDomainTable;
  source_total: SourceTotalTable;
  source_address: SourceAddressTable;
  digest_subscription: DigestSubscriptionTable;
  sender_decision: SenderDecisionTable;
  sender_decision_change: SenderDecisionChangeTable;
  domain_day: DomainDayTable;
  enforcement_day: EnforcementDayTable;
  org_day: OrgDayTable;
  domain_total: DomainTotalTable;
  org_total: OrgTotalTable;
  score_snapshot: ScoreSnapshotTable;
  report_count_day: ReportCountDayTable;
  org_report_count_day: OrgReportCountDayTable;
  report_count_reporter: ReportCountReporterTable;
  rollup_dirty: RollupDirtyTable;
  tlsrpt_report: TlsrptReportTable;
  tlsrpt_failure: TlsrptFailureTable;
  aprf_report: AprfReportTable;
  aprf_row: AprfRowTable;
  failure_report: FailureReportTable;
  usage_hour: UsageHourTable;
  usage_batch: UsageBatchTable;
  upload_hour: UploadHourTable;
  upload_under_way: UploadUnderWayTable;
}

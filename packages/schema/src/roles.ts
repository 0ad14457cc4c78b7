/** One right on a table or view; with columns, on these alone. */
export interface Grant {
  on: string;
  right: 'select' | 'insert' | 'update' | 'delete';
  columns?: readonly string[];
}

/** A role that owns no tables, so that row-level security applies to it, and the rights it needs. */
export interface Role {
  name: string;
  grants: readonly Grant[];
  /** Functions that it may call, with the types of their arguments. */
  calls: readonly string[];
}

/** What answers are made of: an organization's data, and shared facts about addresses and plans. */
const ANSWERED = [
  'organization',
  'plan',
  'domain',
  'domain_check',
  'domain_check_change',
  'domain_evidence',
  'dkim_pass',
  'dkim_failure',
  'dkim_selector',
  'domain_health',
  'reporter',
  'report',
  'stored_record',
  'record_detail',
  'report_record',
  'parse_warning',
  'own_report',
  'own_source_address',
  'own_source_text',
  'source_domain_day',
  'source_domain',
  'source_total',
  'source_standing',
  'source_standing_count',
  'sender_decision',
  'sender_decision_change',
  'domain_day',
  'enforcement_day',
  'domain_total',
  'org_day',
  'org_total',
  'report_count_day',
  'org_report_count_day',
  'report_count_reporter',
  'aprf_report',
  'aprf_row',
  'score_snapshot',
  'event',
  'mailbox_progress',
  'tlsrpt_report',
  'tlsrpt_failure',
  'usage_hour',
  'ip_enrichment',
  'blocklist_result',
];

/** The columns of keys without the hash of the secret. */
const KEYS = ['org_id', 'id', 'prefix', 'name', 'scope', 'revoked_at', 'last_used_at'];

const toRead = (tables: readonly string[]): Grant[] => tables.map((on) => ({ on, right: 'select' }));
const toKeep = (tables: readonly string[]): Grant[] =>
  tables.flatMap((on) => (['select', 'insert', 'update', 'delete'] as const).map((right) => ({ on, right })));

/** The columns of mailboxes without their secrets. */
const MAILBOXES = [
  'org_id',
  'id',
  'host',
  'port',
  'tls',
  'username',
  'folder',
  'removed_at',
  'paused_at',
  'created_at',
];

/** The columns of deliveries that say what became of them. */
const DELIVERIES = [
  'org_id',
  'id',
  'state',
  'code',
  'name',
  'size',
  'source',
  'received_at',
  'finished_at',
  'held_until',
  'parts',
];

/** The API reads, and writes nothing. */
export const apiRole: Role = {
  name: 'dmarc_ledger_api',
  grants: [
    ...toRead(ANSWERED),
    { on: 'api_key', right: 'select', columns: KEYS },
    { on: 'mailbox', right: 'select', columns: MAILBOXES },
    { on: 'raw_message', right: 'select', columns: DELIVERIES },
  ],
  calls: [],
};

const SETTINGS = [
  'app_user',
  'event_delivery',
  'failure_report',
  'payload',
  'raw_message',
  'report_revision',
  'rollup_dirty',
  'source_address',
];

/** The columns of targets without their secrets. */
const TARGETS = [
  'org_id',
  'id',
  'kind',
  'address',
  'types',
  'least_severity',
  'enabled',
  'disabled_code',
  'removed_at',
];

/** What changes when a person adds a domain, and when an event is acknowledged. */
const DOMAIN_SETTINGS = [
  'health_due_at',
  'check_due_at',
  'monitored',
  'source',
  'left_at',
  'tlsrpt_enabled',
  'forensic_enabled',
  'aprf_enabled',
];

/**
 * The pages read what the API reads, and what settings show. They write what people do there: sessions, links,
 * members, keys, domains, decisions about senders, and who acknowledged an event.
 */
export const webRole: Role = {
  name: 'dmarc_ledger_web',
  grants: [
    ...toRead([...ANSWERED, ...SETTINGS]),
    ...toKeep(['digest_subscription', 'person', 'person_identity', 'session', 'sign_in_link', 'sign_in_attempt']),
    { on: 'api_key', right: 'select', columns: [...KEYS, 'last_four', 'owner_id', 'created_at', 'expires_at'] },
    ...toRead(['operator', 'installation_state']),
    { on: 'mailbox', right: 'select', columns: MAILBOXES },
    { on: 'delivery_target', right: 'select', columns: TARGETS },
    { on: 'api_key', right: 'insert' },
    { on: 'api_key', right: 'update', columns: ['revoked_at'] },
    { on: 'event', right: 'update', columns: ['acknowledged_at', 'acknowledged_by'] },
    { on: 'sender_decision', right: 'insert' },
    { on: 'sender_decision', right: 'update' },
    { on: 'sender_decision', right: 'delete' },
    { on: 'sender_decision_change', right: 'insert' },
    ...(['select', 'insert', 'update'] as const).flatMap((right) => [
      { on: 'event_source', right },
      { on: 'event_watch', right },
    ]),
    { on: 'upload_ticket', right: 'insert' },
    { on: 'upload_ticket', right: 'delete' },
    { on: 'upload_ticket', right: 'select', columns: ['org_id', 'expires_at'] },
    { on: 'org_total', right: 'update', columns: ['changes'] }, // by a trigger
    { on: 'domain', right: 'insert' },
    { on: 'domain', right: 'update', columns: DOMAIN_SETTINGS },
    { on: 'app_user', right: 'insert' },
    { on: 'app_user', right: 'update', columns: ['role', 'removed_at'] },
  ],
  calls: ['memberships_of(text)', 'own_organization(text,uuid,uuid)'],
};

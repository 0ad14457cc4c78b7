import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { Defaulted, Json, NullableJson } from './columns.ts';

/** `import`: rebuilt from what another tool kept, by the command `import` alone. */
export type MessageSource = 'file' | 'upload' | 'mailbox' | 'import';
export type MessageState = 'received' | 'processing' | 'stored' | 'duplicate' | 'assigned' | 'refused' | 'quarantined';
/** Aggregate reports, reports on TLS, on placement, and on single failures. */
export type ReportKind = 'rua' | 'tlsrpt' | 'aprf' | 'ruf';

/** The outcome of one document of a delivery. */
export interface MessagePart {
  path: string;
  /** Null if nothing could be read. */
  kind: ReportKind | null;
  sha256: string | null;
  /** Assigned: it belongs to other organizations, which have it as a delivery of their own. */
  outcome: 'stored' | 'duplicate' | 'refused' | 'assigned';
  code: string | null;
  message: string | null;
  reports: { id: string; records: number; messages: number }[];
  warnings: string[];
  /** Of a report of another kind than aggregate reports, which its mail does not prove. */
  failed?: true;
  /** Of a report that is held: what a person needs to judge it. */
  held?: { domain: string; reporter: string | null; records: number; messages: number };
}

export interface RawMessageTable {
  org_id: string;
  id: string;
  sha256: Buffer;
  size: number;
  source: MessageSource;
  name: string | null;
  received_at: Defaulted<Date>;
  mail_received_at: Date | null;
  state: Defaulted<MessageState>;
  code: string | null;
  attempts_started: Defaulted<number>;
  /** The ingester that reads it; of a delivery that waits, the ingester that passes it over for now. */
  claimed_by: string | number | null;
  finished_at: Date | null;
  parts: NullableJson<MessagePart[]>;
  /** The mailbox that brought it first. */
  mailbox_id: string | null;
  header_only: Defaulted<boolean>;
  mail_facts: NullableJson<MailFacts>;
  /** For a shared mailbox: the policy domains taken from it; null: all. */
  only_domains: string[] | null;
  /** For a shared mailbox: the other organizations that received it. */
  assigned_to: string[] | null;
  /** Set if it has more records than the organization may still store that day. */
  held_until: Date | null;
  /** Set when a person released it: its reports count though its mail did not pass, or though it was rebuilt. */
  released_at: Date | null;
  /** Set when retention deleted its bytes; its reports stay. */
  bytes_purged_at: Date | null;
}

/** Bytes that a delivery has released. */
export interface RemovedBlobTable {
  sha256: Buffer;
  since: Defaulted<Date>;
  /** Set when their deletion began. */
  removed_at: Date | null;
  /** True once the store has confirmed the deletion. */
  is_gone: Defaulted<boolean>;
}

/** Work done for all organizations together, and when it is next due. */
export interface ChoreTable {
  name: string;
  due_at: Defaulted<Date>;
}

export interface PayloadTable {
  org_id: string;
  sha256: Buffer;
  message_id: string;
  outcome: Exclude<MessagePart['outcome'], 'assigned'>;
  code: string | null;
  /** True for a report of another kind that only mail has brought which does not prove it. */
  failed: Defaulted<boolean>;
}

export interface OutboxTable {
  id: string;
  org_id: string;
  job: string;
  payload: Json<unknown>;
  created_at: Defaulted<Date>;
}

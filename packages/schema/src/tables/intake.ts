import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { Defaulted, Json, NullableJson } from './columns.ts';

export type MessageSource = 'file' | 'upload' | 'mailbox';
export type MessageState = 'received' | 'processing' | 'stored' | 'duplicate' | 'assigned' | 'refused' | 'quarantined';
/** Aggregate reports, reports on TLS, on placement, and on single failures. */
export type ReportKind = 'rua' | 'tlsrpt' | 'aprf' | 'ruf';

/** What became of one document of a delivery. */
export interface MessagePart {
  path: string;
  /** Null where nothing could be read. */
  kind: ReportKind | null;
  sha256: string | null;
  /** Assigned: it belongs to other organizations, and is in their ledgers. */
  outcome: 'stored' | 'duplicate' | 'refused' | 'assigned';
  code: string | null;
  message: string | null;
  reports: { id: string; records: number; messages: number }[];
  warnings: string[];
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
  claimed_by: string | number | null;
  finished_at: Date | null;
  parts: NullableJson<MessagePart[]>;
  /** The mailbox that brought it first. */
  mailbox_id: string | null;
  header_only: Defaulted<boolean>;
  mail_facts: NullableJson<MailFacts>;
  /** Of a shared mailbox: the policy domains that are taken from it; null: all. */
  only_domains: string[] | null;
  /** Of a shared mailbox: the other organizations that got it. */
  assigned_to: string[] | null;
  /** It would bring more records than the organization's day has left. */
  held_until: Date | null;
  /** Its bytes are gone by age; what it brought stays. */
  bytes_purged_at: Date | null;
}

/** Bytes that a delivery has let go. */
export interface RemovedBlobTable {
  sha256: Buffer;
  since: Defaulted<Date>;
  /** They are being deleted, or are. */
  removed_at: Date | null;
  /** The store has said so. */
  is_gone: Defaulted<boolean>;
}

/** What is done for all organizations together, and when next. */
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
}

export interface OutboxTable {
  id: string;
  org_id: string;
  job: string;
  payload: Json<unknown>;
  created_at: Defaulted<Date>;
}

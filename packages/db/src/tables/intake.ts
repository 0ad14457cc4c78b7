import type { Defaulted, Json, NullableJson } from './columns.ts';

export type MessageSource = 'file' | 'upload' | 'mailbox';
export type MessageState = 'received' | 'processing' | 'stored' | 'duplicate' | 'refused' | 'quarantined';
/** Aggregate reports, reports on TLS, on placement, and on single failures. */
export type ReportKind = 'rua' | 'tlsrpt' | 'aprf' | 'ruf';

/** What became of one document of a delivery. */
export interface MessagePart {
  path: string;
  /** Null where nothing could be read. */
  kind: ReportKind | null;
  sha256: string | null;
  outcome: 'stored' | 'duplicate' | 'refused';
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
}

export interface PayloadTable {
  org_id: string;
  sha256: Buffer;
  message_id: string;
  outcome: MessagePart['outcome'];
  code: string | null;
}

export interface OutboxTable {
  id: string;
  org_id: string;
  job: string;
  payload: Json<unknown>;
  created_at: Defaulted<Date>;
}

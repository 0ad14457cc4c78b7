import type { Defaulted, NullableJson } from './columns.ts';

export type MailboxTls = 'implicit' | 'starttls';
/** What is done with a mail in its mailbox once its delivery has ended. */
export type AfterIntake = 'move' | 'keyword' | 'leave';
export type MailboxState = 'new' | 'connected' | 'retrying' | 'throttled' | 'held' | 'stopped';
export type ItemAction = 'none' | 'moved' | 'flagged' | 'left' | 'gone';

/**
 * How to get access tokens; the client's secret and the refresh token are stored encrypted elsewhere. (RFC 6749, 4.4
 * and 6)
 */
export interface OauthSettings {
  tokenUrl: string;
  clientId: string;
  grant: 'refresh_token' | 'client_credentials';
  scope: string | null;
}

export interface MailboxTable {
  org_id: string;
  id: string;
  host: string;
  port: number;
  tls: MailboxTls;
  ca: string | null;
  username: string;
  folder: string;
  auth: 'password' | 'oauth';
  secret: Buffer;
  oauth: NullableJson<OauthSettings>;
  token: Buffer | null;
  token_expires_at: Date | null;
  after_intake: AfterIntake;
  processed_folder: string;
  refused_folder: string;
  shared: boolean;
  authserv_ids: string[];
  /** Added on the pages: reached at public addresses alone. */
  public_only: Defaulted<boolean>;
  created_at: Defaulted<Date>;
  removed_at: Date | null;
  /** Set while a person has paused it: it is not read. */
  paused_at: Date | null;
}

export interface MailboxProgressTable {
  org_id: string;
  mailbox_id: string;
  state: Defaulted<MailboxState>;
  fault_code: string | null;
  fault: string | null;
  failing_since: Date | null;
  attempted_at: Date | null;
  succeeded_at: Date | null;
  retry_at: Date | null;
  uidvalidity: number | null;
  checkpoint_uid: Defaulted<number>;
  last_uid: Defaulted<number>;
  is_backfill: Defaulted<boolean>;
  messages: Defaulted<number>;
  backlog: Defaulted<number>;
  oldest_waiting_at: Date | null;
  arrived_at: Date | null;
  holder: string | number | null;
}

export interface MailboxItemTable {
  org_id: string;
  mailbox_id: string;
  uidvalidity: number;
  uid: number;
  message_id: string;
  arrived_at: Date | null;
  fetched_at: Defaulted<Date>;
  action: Defaulted<ItemAction>;
  acted_at: Date | null;
}

export interface MailboxDayTable {
  org_id: string;
  day: string;
  mails: Defaulted<number>;
  bytes: Defaulted<number>;
}

/** Where a mailbox is, and what is done to the mails in it. */
export interface MailboxSettings {
  host: string;
  port: number;
  /** TLS from the first byte (RFC 8314), or by STARTTLS, without which nothing is sent. */
  tls: 'implicit' | 'starttls';
  /** PEM of a private authority; null: those of the system. */
  ca: string | null;
  username: string;
  folder: string;
  afterIntake: 'move' | 'keyword' | 'leave';
  processedFolder: string;
  refusedFolder: string;
}

/**
 * What one signs in with: a password, or an access token, when it ends, and why there is no newer one when it is time.
 */
export type Credentials = { password: string } | { accessToken: string; expiresAt: Date; concern?: unknown };

/** A mail as the server hands it out. Of one that is too large only the header is there. */
export interface FetchedMail {
  uid: number;
  content: Buffer;
  /** As the server says; of one that is larger than it says, so much as is known of it. */
  size: number;
  /** By the server's clock. (RFC 9051, 2.3.3) */
  arrivedAt: Date | null;
  isHeaderOnly: boolean;
}

/** How far one mailbox has been read. */
export interface FolderProgress {
  /** All up to this is received, or gone. */
  checkpoint: number;
  lastUid: number;
  /** In the folder. */
  messages: number;
  /** Of these, to be fetched. */
  backlog: number;
  oldestWaitingAt: Date | null;
}

export type Action = 'moved' | 'flagged' | 'left' | 'gone';

/** Positions are good within one UIDVALIDITY alone; another means that all messages are new. (RFC 9051, 2.3.1.1) */
export type UidValidity = number;

/** What keeps a mailbox's ledger. Whatever it promises is durable when its promise is fulfilled. */
export interface MailboxStore {
  /** Told of an access token that the server has refused, gives another. */
  credentials: (refused?: string) => Promise<Credentials>;
  /** Opens the ledger at an uidValidity; items of earlier ones can no longer be touched. Answers with the checkpoint. */
  open: (uidValidity: UidValidity) => Promise<number>;
  /** True while this process is the one that serves the mailbox; asked again and again. */
  hold: () => Promise<boolean>;
  /** True while there is room for more mail in the house. */
  hasSpace: () => Promise<boolean>;
  /** Of these positions, those that nothing is known of. */
  unknown: (uidValidity: UidValidity, uids: readonly number[]) => Promise<number[]>;
  receive: (uidValidity: UidValidity, mails: readonly FetchedMail[]) => Promise<void>;
  saveProgress: (uidValidity: UidValidity, folderProgress: FolderProgress) => Promise<void>;
  /** Mails that have come to an end in the ledger and are still untouched in the mailbox, oldest first. */
  finished: (uidValidity: UidValidity, limit: number) => Promise<{ uid: number; isRefused: boolean }[]>;
  /** True while some of what was received has not come to its end. */
  hasUnfinished: (uidValidity: UidValidity) => Promise<boolean>;
  acted: (uidValidity: UidValidity, uids: readonly number[], action: Action) => Promise<void>;
}

/** A mail larger than this is not fetched; of such a one, so much of its beginning is. */
export const MAX_MAIL = 36 * 1024 ** 2;
export const HEADER_HELD = 64 * 1024;

import type { FolderProgress } from '@dmarc-ledger/vocabulary';
/** Where a mailbox is, and what is done to the mails in it. */
export interface MailboxSettings {
  host: string;
  port: number;
  /** Whether an address of the host may be connected to. Unset: all may. */
  isAllowed?: ((address: string) => boolean) | undefined;
  /** TLS from the first byte (RFC 8314), or by STARTTLS, before which nothing is sent. */
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
 * The credentials: a password, or an access token with its expiry and, where a new one is due, the reason there is
 * none.
 */
export type Credentials = { password: string } | { accessToken: string; expiresAt: Date; concern?: unknown };

/** A mail as the server returns it. One that is too large has only its header. */
export interface FetchedMail {
  uid: number;
  content: Buffer;
  /** As the server reports it; for a mail that is larger than reported, the size known so far. */
  size: number;
  /** By the server's clock. (RFC 9051, 2.3.3) */
  arrivedAt: Date | null;
  isHeaderOnly: boolean;
}

export type Action = 'moved' | 'flagged' | 'left' | 'gone';

/** Positions are valid only within one UIDVALIDITY; another one means that all messages are new. (RFC 9051, 2.3.1.1) */
export type UidValidity = number;

/** Stores a mailbox's ledger. Its changes are durable when their promise is fulfilled. */
export interface MailboxStore {
  /** Receives an access token that the server has refused, and returns another. */
  credentials: (refused?: string) => Promise<Credentials>;
  /** Opens the ledger at a uidValidity; items of earlier ones can no longer be changed. Returns the checkpoint. */
  open: (uidValidity: UidValidity) => Promise<number>;
  /** True while this process holds the mailbox; called again and again. */
  hold: () => Promise<boolean>;
  /** True while there is space for more mail. */
  hasSpace: () => Promise<boolean>;
  /** The unknown ones of these positions. */
  unknown: (uidValidity: UidValidity, uids: readonly number[]) => Promise<number[]>;
  receive: (uidValidity: UidValidity, mails: readonly FetchedMail[]) => Promise<void>;
  saveProgress: (uidValidity: UidValidity, folderProgress: FolderProgress) => Promise<void>;
  /** Mails that are finished in the ledger and still untouched in the mailbox, oldest first. */
  finished: (uidValidity: UidValidity, limit: number) => Promise<{ uid: number; isRefused: boolean }[]>;
  /** True while some of the received mails are unfinished. */
  hasUnfinished: (uidValidity: UidValidity) => Promise<boolean>;
  acted: (uidValidity: UidValidity, uids: readonly number[], action: Action) => Promise<void>;
}

/** A larger mail is not fetched; only this much of its beginning is. */
export const MAX_MAIL = 36 * 1024 ** 2;
export const HEADER_HELD = 64 * 1024;

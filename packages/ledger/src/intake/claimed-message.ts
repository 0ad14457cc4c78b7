import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { MailboxTable, MessageSource, RawMessageTable } from '@dmarc-ledger/schema';
import { comparableAddress } from '@dmarc-ledger/vocabulary';
import { type Selectable, sql } from 'kysely';

/** A delivery that is being read, for the first time or again. */
export interface ClaimedMessage {
  id: string;
  sha256: Buffer;
  size: number;
  source: MessageSource;
  name: string | null;
  receivedAt: Date;
  attemptsStarted: number;
  /** The name of the claimant that reads it; null: it is read again without a claim. */
  claimedBy: number | null;
  mailboxId: string | null;
  /** The mailboxes of this organization that brought it; null: none did. */
  mailboxes: SourceMailboxes | null;
  /** The policy domains to take from it; null: all. */
  onlyDomains: readonly string[] | null;
  /** What the mailbox of another organization recorded about it. */
  mailFacts: MailFacts | null;
  /** True if a person released it: it is not held, whatever its mail says. */
  isReleased: boolean;
  /** True if it was read to its end before. */
  isReread: boolean;
}

/** The mailboxes that brought a delivery: usually one, but the same mail may be in several. */
interface SourceMailboxes {
  /** The addresses of the shared ones, to which all mail in them is sent. */
  sharedAddresses: readonly string[];
  authservIds: readonly string[];
  /** True if a shared one brought it: it is given to its organizations. */
  isShared: boolean;
  /** True if one that is not shared brought it: all of it is the organization's own. */
  isOwn: boolean;
}

export const claimedColumns = [
  'id',
  'sha256',
  'size',
  'source',
  'name',
  'received_at',
  'attempts_started',
  'claimed_by',
  'mailbox_id',
  'only_domains',
  'mail_facts',
  'released_at',
  'finished_at',
] as const;

type SourceMailbox = Pick<Selectable<MailboxTable>, 'username' | 'authserv_ids' | 'shared'>;

export type ClaimedRow = Pick<Selectable<RawMessageTable>, (typeof claimedColumns)[number]> & {
  /** See `mailboxesOf`; absent if they were not looked up. */
  mailboxes?: SourceMailbox[] | null;
};

/** The mailboxes of its organization that brought the delivery `m`; null for none. */
export const mailboxesOf = sql<SourceMailbox[] | null>`case when m.mailbox_id is not null then (
  select json_agg(json_build_object('username', b.username, 'authserv_ids', b.authserv_ids, 'shared', b.shared))
  from (
    select m.mailbox_id as id union select mailbox_id from mailbox_item i where i.org_id = m.org_id and i.message_id = m.id
  ) k join mailbox b on b.org_id = m.org_id and b.id = k.id) end`;

export function toClaimed(row: ClaimedRow): ClaimedMessage {
  return {
    id: row.id,
    sha256: row.sha256,
    size: row.size,
    source: row.source,
    name: row.name,
    receivedAt: row.received_at,
    attemptsStarted: row.attempts_started,
    claimedBy: row.claimed_by === null ? null : Number(row.claimed_by),
    mailboxId: row.mailbox_id,
    mailboxes: row.mailboxes ? sourceMailboxes(row.mailboxes) : null,
    onlyDomains: row.only_domains,
    mailFacts: row.mail_facts,
    isReleased: row.released_at !== null,
    isReread: row.finished_at !== null,
  };
}

function sourceMailboxes(mailboxes: readonly SourceMailbox[]): SourceMailboxes {
  const shared = mailboxes.filter((mailbox) => mailbox.shared);
  return {
    sharedAddresses: shared.map(({ username }) => comparableAddress(username)),
    authservIds: [...new Set(mailboxes.flatMap(({ authserv_ids }) => authserv_ids))],
    isShared: shared.length > 0,
    isOwn: shared.length < mailboxes.length,
  };
}

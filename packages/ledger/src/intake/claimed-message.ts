import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { MessageSource, RawMessageTable } from '@dmarc-ledger/schema';
import type { Selectable } from 'kysely';

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
  /** The mailbox that brought it, if it belongs to this organization. */
  mailbox: { address: string; authservIds: readonly string[]; isShared: boolean } | null;
  /** The policy domains to take from it; null: all. */
  onlyDomains: readonly string[] | null;
  /** What the mailbox of another organization recorded about it. */
  mailFacts: MailFacts | null;
  /** True if a person released it: it is not held, whatever its mail says. */
  isReleased: boolean;
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
] as const;

export type ClaimedRow = Pick<Selectable<RawMessageTable>, (typeof claimedColumns)[number]> & {
  /** The mailbox's user name, if the mailbox was looked up and exists. */
  username?: string | null;
  authserv_ids?: string[] | null;
  shared?: boolean | null;
};

export function toClaimed(row: ClaimedRow): ClaimedMessage {
  const { username, authserv_ids: authservIds, shared } = row;
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
    mailbox: authservIds ? { address: username ?? '', authservIds, isShared: shared === true } : null,
    onlyDomains: row.only_domains,
    mailFacts: row.mail_facts,
    isReleased: row.released_at !== null,
  };
}

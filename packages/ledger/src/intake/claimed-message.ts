import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { MessageSource, RawMessageTable } from '@dmarc-ledger/schema';
import type { Selectable } from 'kysely';

/** A delivery that somebody reads: now, or again. */
export interface ClaimedMessage {
  id: string;
  sha256: Buffer;
  size: number;
  source: MessageSource;
  name: string | null;
  receivedAt: Date;
  attemptsStarted: number;
  mailboxId: string | null;
  /** The mailbox that brought it, where that is this organization's own. */
  mailbox: { address: string; authservIds: readonly string[]; isShared: boolean } | null;
  /** The policy domains that are taken from it; null: all. */
  onlyDomains: readonly string[] | null;
  /** What another organization's mailbox knows of it. */
  mailFacts: MailFacts | null;
}

export const claimedColumns = [
  'id',
  'sha256',
  'size',
  'source',
  'name',
  'received_at',
  'attempts_started',
  'mailbox_id',
  'only_domains',
  'mail_facts',
] as const;

export type ClaimedRow = Pick<Selectable<RawMessageTable>, (typeof claimedColumns)[number]> & {
  /** Of the mailbox, when that was looked for and is there. */
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
    mailboxId: row.mailbox_id,
    mailbox: authservIds ? { address: username ?? '', authservIds, isShared: shared === true } : null,
    onlyDomains: row.only_domains,
    mailFacts: row.mail_facts,
  };
}

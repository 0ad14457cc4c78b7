import { type Database, transact } from '@dmarc-ledger/schema';
import type { Mailbox, MailboxKey } from './mailboxes.ts';

/** A token endpoint's response, encrypted. */
export interface SealedToken {
  token: Buffer;
  expiresAt: Date;
  /** The mailbox's new secret, if the refresh token was replaced. */
  secret: Buffer | null;
}

/**
 * Replaces a mailbox's access token, one process at a time, as a refresh token may be valid only once. A caller that
 * had to wait finds the new token. The result of `renew` is committed before it is used.
 */
export async function renewToken(
  database: Database,
  { orgId, mailboxId }: MailboxKey,
  renew: (mailbox: Mailbox) => Promise<SealedToken | undefined>,
): Promise<Mailbox | undefined> {
  return await transact(database, async ({ db }) => {
    const read = () => db.selectFrom('mailbox').selectAll().where('org_id', '=', orgId).where('id', '=', mailboxId);
    const mailbox = await read().where('removed_at', 'is', null).forNoKeyUpdate().executeTakeFirst();
    if (!mailbox) return undefined;
    const renewed = await renew(mailbox);
    if (!renewed) return mailbox;
    const { token, expiresAt, secret } = renewed;
    return await db
      .updateTable('mailbox')
      .set({ token, token_expires_at: expiresAt, ...(secret && { secret }) })
      .where('org_id', '=', orgId)
      .where('id', '=', mailboxId)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

import { type Database, transact } from '@dmarc-ledger/schema';
import type { Mailbox, MailboxKey } from './mailboxes.ts';

/** What a token endpoint gave, sealed. */
export interface SealedToken {
  token: Buffer;
  expiresAt: Date;
  /** The mailbox's secret anew, where the refresh token has been replaced. */
  secret: Buffer | null;
}

/**
 * Replaces a mailbox's access token: one at a time in the whole house, for a refresh token may be good only once. Who
 * had to wait finds the new one there. What `renew` got is committed before anybody uses it.
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

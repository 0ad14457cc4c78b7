import { type Database, transact } from '@dmarc-ledger/schema';

/** The sealed secrets of a mailbox. */
export interface SealedSecrets {
  orgId: string;
  mailboxId: string;
  secret: Buffer;
  token: Buffer | null;
}

/**
 * Encrypts the secrets of the next mailboxes again, after the given id, each batch in one transaction, so that no other
 * transaction replaces a secret meanwhile. `reseal` returns a mailbox's new secrets, or nothing to leave them, and may
 * be called for it again. Returns how many were visited, how many changed, and the last id; a second run changes
 * nothing.
 */
export async function resealMailboxes(
  database: Database,
  { after, limit }: { after: string | null; limit: number },
  reseal: (sealed: SealedSecrets) => Pick<SealedSecrets, 'secret' | 'token'> | undefined,
): Promise<{ seen: number; resealed: number; last: string | null }> {
  return await transact(database, async ({ db }) => {
    let query = db.selectFrom('mailbox').select(['org_id', 'id', 'secret', 'token']).where('removed_at', 'is', null);
    if (after !== null) query = query.where('id', '>', after);
    const rows = await query.orderBy('id').limit(limit).forNoKeyUpdate().execute();
    let resealed = 0;
    for (const { org_id: orgId, id: mailboxId, secret, token } of rows) {
      const renewed = reseal({ orgId, mailboxId, secret, token });
      if (!renewed) continue;
      resealed += 1;
      await db.updateTable('mailbox').set(renewed).where('org_id', '=', orgId).where('id', '=', mailboxId).execute();
    }
    return { seen: rows.length, resealed, last: rows.at(-1)?.id ?? null };
  });
}

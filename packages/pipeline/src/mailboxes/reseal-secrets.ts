import { resealMailboxes, type Database, type SealedSecrets } from '@dmarc-ledger/db';
import { SecretError, type SecretBox } from '@dmarc-ledger/secrets';
import { idText } from '@dmarc-ledger/vocabulary';
import { secretPlace } from './access-token.ts';

const BATCH = 100;

export interface Resealed {
  mailboxes: number;
  resealed: number;
  /** Mailboxes with a secret that no key opens: it must be entered anew. */
  failed: { id: string; code: string }[];
}

/**
 * Seals every secret that an older key has sealed with the key that seals now. In batches, each a transaction: may be
 * ended anywhere and run again, while mailboxes are read.
 */
export async function resealSecrets({ db }: Database, secrets: SecretBox): Promise<Resealed> {
  const summary: Resealed = { mailboxes: 0, resealed: 0, failed: [] };
  for (let after: string | null = null; ;) {
    const failed: Resealed['failed'] = [];
    const { seen, resealed, last } = await resealMailboxes(db, { after, limit: BATCH }, (sealed) => {
      try {
        return sealAnew(secrets, sealed);
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        failed.push({ id: idText(sealed.mailboxId), code: error.code });
        return undefined;
      }
    });
    summary.mailboxes += seen;
    summary.resealed += resealed;
    summary.failed.push(...failed);
    if (last === null) return summary;
    after = last;
  }
}

/** A mailbox's secrets under the key that seals now; nothing where they are. */
function sealAnew(secrets: SecretBox, { orgId, mailboxId, secret, token }: SealedSecrets) {
  const isCurrent = (sealed: Buffer | null) => sealed === null || secrets.isCurrent(sealed);
  if (isCurrent(secret) && isCurrent(token)) return undefined;
  const anew = (sealed: Buffer, field: 'secret' | 'token') => {
    const place = secretPlace({ orgId, mailboxId }, field);
    return secrets.isCurrent(sealed) ? sealed : secrets.seal(secrets.open(sealed, place), place);
  };
  return { secret: anew(secret, 'secret'), token: token && anew(token, 'token') };
}

import { resealMailboxes, resealTargets, type SealedSecrets } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { SecretError, type SecretBox } from '@dmarc-ledger/secrets';
import { idText } from '@dmarc-ledger/vocabulary';
import { targetSecretPlace } from '../notifications/notifier.ts';
import { secretPlace } from './access-token.ts';

const BATCH = 100;

export interface Resealed {
  mailboxes: number;
  webhooks: number;
  resealed: number;
  /** Owners of a secret that no key opens; it must be entered again. */
  failed: { id: string; code: string }[];
}

type Batch = (place: { after: string | null; limit: number }) => Promise<{
  seen: number;
  resealed: number;
  last: string | null;
}>;

/**
 * Seals every secret that was sealed with an older key with the current key. In batches, each a transaction: may be
 * ended at any point and run again, while mailboxes are read and webhooks are sent.
 */
export async function resealSecrets(database: Database, secrets: SecretBox): Promise<Resealed> {
  const failed = new Map<string, Resealed['failed'][number]>(); // a batch that runs again finds the same ones
  const orFailed = <Sealed>(id: string, seal: () => Sealed): Sealed | undefined => {
    try {
      return seal();
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      failed.set(id, { id: idText(id), code: error.code });
      return undefined;
    }
  };
  const mailboxes = await inBatches((place) =>
    resealMailboxes(database, place, (sealed) => orFailed(sealed.mailboxId, () => sealAnew(secrets, sealed))),
  );
  const webhooks = await inBatches((place) =>
    resealTargets(database, place, (key, secret) =>
      secrets.isCurrent(secret)
        ? undefined
        : orFailed(key.targetId, () => sealedAnew(secrets, secret, targetSecretPlace(key))),
    ),
  );
  return {
    mailboxes: mailboxes.seen,
    webhooks: webhooks.seen,
    resealed: mailboxes.resealed + webhooks.resealed,
    failed: [...failed.values()],
  };
}

async function inBatches(batch: Batch): Promise<{ seen: number; resealed: number }> {
  const sum = { seen: 0, resealed: 0 };
  for (let after: string | null = null; ;) {
    const { seen, resealed, last } = await batch({ after, limit: BATCH });
    sum.seen += seen;
    sum.resealed += resealed;
    if (last === null) return sum;
    after = last;
  }
}

/** A mailbox's secrets sealed with the current key; undefined where they already are. */
function sealAnew(secrets: SecretBox, { orgId, mailboxId, secret, token }: SealedSecrets) {
  const isCurrent = (sealed: Buffer | null) => sealed === null || secrets.isCurrent(sealed);
  if (isCurrent(secret) && isCurrent(token)) return undefined;
  const resealed = (sealed: Buffer, field: 'secret' | 'token') =>
    secrets.isCurrent(sealed) ? sealed : sealedAnew(secrets, sealed, secretPlace({ orgId, mailboxId }, field));
  return { secret: resealed(secret, 'secret'), token: token && resealed(token, 'token') };
}

function sealedAnew(secrets: SecretBox, sealed: Buffer, place: string): Buffer {
  return secrets.seal(secrets.open(sealed, place), place);
}

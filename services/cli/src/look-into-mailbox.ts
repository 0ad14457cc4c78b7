import { findMailbox } from '@dmarc-ledger/ledger';
import { requestToken, tryMailbox, type MailboxSight } from '@dmarc-ledger/inlets';
import { accessToken, secretPlace } from '@dmarc-ledger/pipeline';
import { present } from '@dmarc-ledger/vocabulary';
import { secretsOf } from './secrets-of.ts';
import type { Work } from './with-installation.ts';

/**
 * Signs in to a mailbox like the ingester, and reads its state without a change.
 * @throws {MailboxFault} when the mailbox cannot be read.
 */
export async function lookIntoMailbox(
  { installation }: Pick<Work, 'installation'>,
  mailboxId: string,
): Promise<MailboxSight> {
  const { database } = installation;
  const secrets = secretsOf(installation);
  const { org_id: orgId, ...mailbox } = present(await findMailbox(database.db, mailboxId));
  const key = { orgId, mailboxId };
  const { isPublicAddress } = await import('@dmarc-ledger/lookups'); // most commands ask nothing outside
  const isAllowed = mailbox.public_only ? isPublicAddress : undefined;
  const settings = {
    ...mailbox,
    isAllowed,
    afterIntake: mailbox.after_intake,
    processedFolder: mailbox.processed_folder,
    refusedFolder: mailbox.refused_folder,
  };
  const credentials =
    mailbox.auth === 'oauth'
      ? await accessToken({ database, secrets, requestToken: (input) => requestToken({ ...input, isAllowed }) }, key)
      : { password: secrets.open(mailbox.secret, secretPlace(key, 'secret')) };
  return await tryMailbox(settings, credentials);
}

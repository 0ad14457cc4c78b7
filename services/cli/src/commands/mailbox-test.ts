import { findMailbox, resumeMailbox } from '@dmarc-ledger/db';
import { MailboxFault, requestToken, tryMailbox, type MailboxSight } from '@dmarc-ledger/inlets';
import { accessToken, secretPlace } from '@dmarc-ledger/pipeline';
import { CliError } from '../errors.ts';
import { print, printJson } from '../print.ts';
import type { Work } from '../with-house.ts';
import { secretsOf } from './mailbox-options.ts';

const MANNERS = {
  move: 'mail is moved when it is in the ledger',
  keyword: 'mail is marked with a keyword when it is in the ledger',
  leave: 'mail is left as it is',
};

/** Signs in to a mailbox as the ingester would, and says what it is like. */
export async function testMailbox({ house }: Work, mailboxId: string, options: { json?: boolean }): Promise<void> {
  const { database } = house;
  const secrets = secretsOf(house);
  const { org_id: orgId, ...mailbox } = (await findMailbox(database.db, mailboxId))!;
  const key = { orgId, mailboxId };
  const settings = {
    ...mailbox,
    afterIntake: mailbox.after_intake,
    processedFolder: mailbox.processed_folder,
    refusedFolder: mailbox.refused_folder,
  };
  try {
    const credentials =
      mailbox.auth === 'oauth'
        ? await accessToken({ database, secrets, requestToken }, key)
        : { password: secrets.open(mailbox.secret, secretPlace(key, 'secret')) };
    const sight = await tryMailbox(settings, credentials);
    await resumeMailbox(database.db, key);
    show(sight, mailbox.authserv_ids, options);
  } catch (error) {
    if (error instanceof MailboxFault) throw new CliError('refused', error.message);
    throw error;
  }
}

function show(sight: MailboxSight, believed: string[], options: { json?: boolean }): void {
  if (options.json) return printJson({ ...sight, believed });
  const { messages, epoch, manner, hasIdle, authservIds } = sight;
  print(
    [
      { what: 'signed in', value: 'yes' },
      { what: 'messages in the folder', value: messages },
      { what: 'UIDVALIDITY', value: epoch },
      { what: 'new mail is noticed', value: hasIdle ? 'at once (IDLE), and by asking' : 'by asking' },
      { what: 'afterwards', value: MANNERS[manner] },
      { what: 'Authentication-Results believed', value: believed.join(', ') || 'of nobody' },
      { what: 'in the newest mail they are of', value: authservIds.join(', ') || 'nobody' },
    ],
    options,
  );
}

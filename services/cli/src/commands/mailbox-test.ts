import { findMailbox, resumeMailbox } from '@dmarc-ledger/db';
import { MailboxFault, type MailboxSight } from '@dmarc-ledger/inlets';
import { CliError } from '../errors.ts';
import { lookIntoMailbox } from '../look-into-mailbox.ts';
import { print, printJson } from '../print.ts';
import type { Work } from '../with-installation.ts';

const MANNERS = {
  move: 'mail is moved when it is in the ledger',
  keyword: 'mail is marked with a keyword when it is in the ledger',
  leave: 'mail is left as it is',
};

/** Signs in to a mailbox as the ingester would, and says what it is like. */
export async function testMailbox(
  { installation }: Work,
  mailboxId: string,
  options: { json?: boolean },
): Promise<void> {
  try {
    const sight = await lookIntoMailbox({ installation }, mailboxId);
    const { db } = installation.database;
    const { org_id: orgId, authserv_ids: believed } = (await findMailbox(db, mailboxId))!;
    await resumeMailbox(db, { orgId, mailboxId });
    show(sight, believed, options);
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

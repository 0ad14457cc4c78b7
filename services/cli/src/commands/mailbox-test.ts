import { findMailbox, resumeMailbox } from '@dmarc-ledger/ledger';
import { MailboxFault, type MailboxSight } from '@dmarc-ledger/inlets';
import { present } from '@dmarc-ledger/vocabulary';
import { CliError } from '../errors.ts';
import { lookIntoMailbox } from '../look-into-mailbox.ts';
import { printJson, printTable } from '../print.ts';
import type { Work } from '../with-installation.ts';

const AFTER = {
  move: 'mail is moved to another folder',
  keyword: 'mail is marked with a keyword',
  leave: 'mail stays as it is',
};

/** Signs in to a mailbox like the ingester, and shows what it finds. */
export async function testMailbox(
  { installation }: Work,
  mailboxId: string,
  options: { json?: boolean },
): Promise<void> {
  try {
    const sight = await lookIntoMailbox({ installation }, mailboxId);
    const { db } = installation.database;
    const { org_id: orgId, authserv_ids: believed } = present(await findMailbox(db, mailboxId));
    await resumeMailbox(db, { orgId, mailboxId });
    show(sight, believed, options);
  } catch (error) {
    if (error instanceof MailboxFault) throw new CliError('refused', error.message);
    throw error;
  }
}

/** JSON uses the keys of `mailbox list --json` for the same values. */
function show(sight: MailboxSight, believed: string[], options: { json?: boolean }): void {
  const { capabilities, messages, uidValidity: uidvalidity, manner: after, hasIdle: idle, authservIds: seen } = sight;
  if (options.json)
    return printJson({
      capabilities,
      messages,
      uidvalidity,
      after,
      idle,
      authserv_ids: believed,
      authserv_ids_seen: seen,
    });
  printTable([
    { what: 'signed in', value: 'yes' },
    { what: 'messages in the folder', value: messages },
    { what: 'UIDVALIDITY', value: uidvalidity },
    { what: 'new mail is seen', value: idle ? 'at once, by IDLE' : 'within 40 seconds: the server has no IDLE' },
    { what: 'once reports are stored', value: AFTER[after] },
    { what: 'Authentication-Results believed', value: believed.join(', ') || 'none' },
    { what: 'servers named in the newest mail', value: seen.join(', ') || 'none' },
  ]);
}

import { listMailboxes } from '@dmarc-ledger/ledger';
import { MailboxFault } from '@dmarc-ledger/inlets';
import { idText } from '@dmarc-ledger/vocabulary';
import { lookIntoMailbox } from '../look-into-mailbox.ts';
import type { Work } from '../with-installation.ts';
import { error, ok, reasonOf, type Finding } from './finding.ts';

/** Signs in to each mailbox, one after another. */
export async function checkMailboxes(work: Work): Promise<Finding[]> {
  const mailboxes = await listMailboxes(work.installation.database.db);
  if (mailboxes.length === 0) return [ok('mailboxes', 'None are configured.')];
  if (!work.installation.secrets)
    return [
      error('mailboxes', 'Their secrets cannot be decrypted.', 'Set SECRET_KEY to the key with which they were added.'),
    ];
  const findings: Finding[] = [];
  for (const { id, username, host, folder, paused_at } of mailboxes) {
    const check = `mailbox ${username}@${host} ${folder}`;
    if (paused_at !== null) {
      findings.push(ok(check, `Paused since ${paused_at.toISOString()}.`));
      continue;
    }
    try {
      const { messages } = await lookIntoMailbox(work, id);
      findings.push(ok(check, `Signed in; ${messages} messages.`));
    } catch (cause) {
      const mend = cause instanceof MailboxFault ? 'See docs/mailboxes.md' : 'See docs/runbook.md';
      findings.push(error(check, reasonOf(cause), `${mend}; then: dmarc-ledger mailbox test ${idText(id)}`));
    }
  }
  return findings;
}

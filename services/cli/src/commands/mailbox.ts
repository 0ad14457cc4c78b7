import { findMailbox, listMailboxes, type MailboxKey, removeMailbox, setMailboxPaused } from '@dmarc-ledger/ledger';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { examples, jsonOption, orgFilter, ownerOption, SAMPLE_ID } from '../options.ts';
import { organizationsOf, orgIdOf, printListed, withOrganization } from '../organizations.ts';
import { printOne } from '../print.ts';
import { noSuch, readIdOf } from '../row-id.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { addMailboxCommand } from './mailbox-add.ts';
import { mailboxRow, mailboxJson } from './mailbox-output.ts';

const MAILBOX = 'the id of a mailbox, as mailbox list shows it';

interface IdOptions {
  org?: string;
  json?: boolean;
}

export function mailboxCommand(): Command {
  return new Command('mailbox')
    .description('mailboxes that receive reports, and their state')
    .addCommand(addMailboxCommand())
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(pauseCommand('pause', 'stop reading a mailbox until it is resumed', true))
    .addCommand(pauseCommand('resume', 'read a paused mailbox again', false))
    .addCommand(removeCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('mailboxes, with their state, last success, lag and backlog')
    .addOption(orgFilter())
    .addOption(jsonOption())
    .addHelpText('after', examples('mailbox list', "mailbox list --org 'My organization' --json"))
    .action((options: IdOptions) =>
      withInstallation(async (work) => {
        const organizations = await organizationsOf(work, options.org);
        const orgId = options.org === undefined ? undefined : organizations[0]?.id;
        const mailboxes = await listMailboxes(work.installation.database.db, orgId);
        printListed(withOrganization(organizations, mailboxes), options, mailboxRow, mailboxJson);
      }),
    );
}

function testCommand(): Command {
  return new Command('test')
    .argument('<id>', MAILBOX, readIdOf('mailbox'))
    .description(
      'sign in to a mailbox and show what is in it, without any change; a stopped mailbox is read again if this ' +
        'succeeds',
    )
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`mailbox test ${SAMPLE_ID}`))
    .action((id: string, options: IdOptions) =>
      withInstallation(async (work) => {
        const { testMailbox } = await import('./mailbox-test.ts'); // the only command here that needs an IMAP client
        await testMailbox(work, (await mailboxKeyOf(work, id, options.org)).mailboxId, options);
      }),
    );
}

function pauseCommand(name: 'pause' | 'resume', description: string, isPaused: boolean): Command {
  return new Command(name)
    .argument('<id>', MAILBOX, readIdOf('mailbox'))
    .description(description)
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`mailbox ${name} ${SAMPLE_ID}`))
    .action((id: string, options: IdOptions) =>
      withInstallation(async (work) => {
        const key = await mailboxKeyOf(work, id, options.org);
        await setMailboxPaused(work.installation.database.db, key, isPaused);
        printOne({ id: idText(key.mailboxId), paused: isPaused }, options);
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .argument('<id>', MAILBOX, readIdOf('mailbox'))
    .description('stop reading a mailbox; the reports that it brought stay')
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`mailbox remove ${SAMPLE_ID}`))
    .action((id: string, options: IdOptions) =>
      withInstallation(async (work) => {
        const key = await mailboxKeyOf(work, id, options.org);
        await removeMailbox(work.installation.database.db, key);
        printOne({ id: idText(key.mailboxId), removed: true }, options);
      }),
    );
}

async function mailboxKeyOf(work: Work, id: string, org: string | undefined): Promise<MailboxKey> {
  const within = org === undefined ? undefined : await orgIdOf(work, org);
  const mailbox = await findMailbox(work.installation.database.db, id);
  if (!mailbox || (within ?? mailbox.org_id) !== mailbox.org_id) throw noSuch('mailbox', id);
  return { orgId: mailbox.org_id, mailboxId: mailbox.id };
}

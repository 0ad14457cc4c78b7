import { addMailbox, findMailbox, listMailboxes, removeMailbox, type MailboxKey } from '@dmarc-ledger/db';
import { idText, parseId } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';
import { readMailbox, secretsOf, type MailboxOptions } from './mailbox-options.ts';
import { mailboxRow, mailboxStory } from './mailbox-story.ts';

const collect = (value: string, all: string[] = []) => [...all, value];

export function mailboxCommand(): Command {
  const mailbox = new Command('mailbox').description('report inboxes: where they are, and how reading them goes');
  mailbox.addCommand(addCommand());
  mailbox
    .command('list')
    .description('all mailboxes, or those of an organization, with state, last success, lag and backlog')
    .option('--org <id>', 'one organization; all when not told')
    .option('--json')
    .action((options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = options.org === undefined ? undefined : await orgIdOf(work, options.org);
        const mailboxes = await listMailboxes(work.installation.database.db, orgId);
        if (options.json) printJson(mailboxes.map(mailboxStory));
        else print(mailboxes.map(mailboxRow), options);
      }),
    );
  mailbox
    .command('test')
    .argument('<id>')
    .description('sign in and look, change nothing; a mailbox that had stopped is read again when this succeeds')
    .option('--json')
    .action((id: string, options: { json?: boolean }) =>
      withInstallation(async (work) => {
        const { testMailbox } = await import('./mailbox-test.ts'); // nobody else here needs a client of mail servers
        await testMailbox(work, (await keyOf(work, id)).mailboxId, options);
      }),
    );
  mailbox
    .command('remove')
    .argument('<id>')
    .description('read a mailbox no more; what it brought stays')
    .action((id: string) =>
      withInstallation(async (work) => {
        await removeMailbox(work.installation.database.db, await keyOf(work, id));
        print([{ id, removed: true }], {});
      }),
    );
  return mailbox;
}

function addCommand(): Command {
  return new Command('add')
    .description('read a mailbox from now on; at a place that is read already, describe it anew')
    .requiredOption('--org <id>', 'whose reports arrive there')
    .requiredOption('--host <name>')
    .requiredOption('--user <name>', 'as the mail server knows it')
    .option('--port <n>', 'usually 993, and 143 with STARTTLS')
    .addOption(new Option('--tls <how>').choices(['implicit', 'starttls']).default('implicit'))
    .option('--ca-file <path>', 'PEM of the authority that signed the server’s certificate, when it is your own')
    .option('--folder <name>', 'which folder to read', 'INBOX')
    .option('--password-env <variable>', 'the environment variable that holds the password')
    .option('--oauth-token-url <url>', 'sign in with OAuth 2: the token endpoint')
    .option('--oauth-client-id <id>')
    .option('--oauth-client-secret-env <variable>')
    .option('--oauth-refresh-token-env <variable>', 'without one, the client’s own credentials are used')
    .option('--oauth-scope <scope>')
    .addOption(
      new Option('--after <what>', 'what to do with mail that is in the ledger')
        .choices(['move', 'keyword', 'leave'])
        .default('move'),
    )
    .option('--processed-folder <name>', 'where mail goes whose reports are stored', 'Processed')
    .option('--refused-folder <name>', 'where mail goes in which nothing could be read', 'Refused')
    .option('--shared', 'reports of several organizations arrive here: each goes to its own')
    .option('--authserv-id <name>', 'whose Authentication-Results to believe (repeatable)', collect)
    .option('--json')
    .action((options: MailboxOptions & { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const secrets = secretsOf(work.installation);
        const orgId = await orgIdOf(work, options.org);
        const mailbox = await readMailbox(options, secrets, orgId);
        const id = idText(await addMailbox(work.installation.database.db, orgId, mailbox));
        if (options.json) printJson({ id });
        else print([{ id, next: `dmarc-ledger mailbox test ${id}` }], options);
      }),
    );
}

async function keyOf({ installation }: Work, given: string): Promise<MailboxKey> {
  const id = parseId(given);
  const mailbox = id && (await findMailbox(installation.database.db, id));
  if (!mailbox) throw new CliError('not_found', `There is no mailbox ${given}; see: dmarc-ledger mailbox list`);
  return { orgId: mailbox.org_id, mailboxId: mailbox.id };
}

import { addMailbox, findMailboxAt } from '@dmarc-ledger/ledger';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { examples, jsonOption, orgOption } from '../options.ts';
import { orgIdOf } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { withInstallation } from '../with-installation.ts';
import { secretsOf } from '../secrets-of.ts';
import {
  checkFolders,
  keepSettings,
  readHost,
  readMailbox,
  readServerText,
  type MailboxOptions,
} from './mailbox-options.ts';

const collect = (value: string, all: string[] = []) => [...all, value];

export function addMailboxCommand(): Command {
  return new Command('add')
    .description('add a mailbox and start reading it, or update the settings of an existing one')
    .addOption(orgOption('the organization that the reports belong to, by id or name'))
    .requiredOption('--host <name>', 'the IMAP server', readHost)
    .requiredOption('--user <name>', 'the user name at the IMAP server', readServerText('--user'))
    .option('--port <n>', 'the port (default: 993, and 143 with STARTTLS)')
    .addOption(
      new Option('--tls <how>', 'encrypted from the start, or by STARTTLS')
        .choices(['implicit', 'starttls'])
        .default('implicit'),
    )
    .option('--ca-file <path>', 'a PEM file with the authority that signed the server’s certificate, if it is your own')
    .option('--folder <name>', 'the folder to read', readServerText('--folder'), 'INBOX')
    .option('--password-env <variable>', 'the environment variable that holds the password')
    .option('--oauth-token-url <url>', 'sign in with OAuth 2: the token endpoint')
    .option('--oauth-client-id <id>', 'the OAuth client')
    .option('--oauth-client-secret-env <variable>', 'the environment variable that holds the client’s secret')
    .option(
      '--oauth-refresh-token-env <variable>',
      'the environment variable that holds a refresh token; without one, the client’s own credentials are used',
    )
    .option('--oauth-scope <scope>', 'the OAuth scope to ask for')
    .addOption(
      new Option('--after <what>', 'what to do with mail whose reports are stored')
        .choices(['move', 'keyword', 'leave'])
        .default('move'),
    )
    .option(
      '--processed-folder <name>',
      'the folder for mail whose reports are stored',
      readServerText('--processed-folder'),
      'Processed',
    )
    .option(
      '--refused-folder <name>',
      'the folder for mail in which nothing could be read',
      readServerText('--refused-folder'),
      'Refused',
    )
    .option('--shared', 'reports of several organizations arrive here: each goes to its own')
    .option('--no-shared', 'all reports that arrive here are of this organization')
    .option(
      '--authserv-id <name>',
      "a server whose Authentication-Results are trusted (repeatable; '' trusts none)",
      collect,
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        "mailbox add --org 'My organization' --host imap.example.com --user reports@example.com --password-env " +
          'MAIL_PASSWORD',
      ),
    )
    .action((options: MailboxOptions & { org: string; json?: boolean }, command: Command) =>
      withInstallation(async (work) => {
        const { database } = work.installation;
        const secrets = secretsOf(work.installation);
        const orgId = await orgIdOf(work, options.org);
        const given = await readMailbox(options, secrets, orgId);
        const known = await findMailboxAt(database.db, orgId, given);
        const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
        const mailbox = known ? keepSettings(given, known, isGiven) : given;
        checkFolders(mailbox); // of the kept and the given ones together
        const id = idText(await addMailbox(database, orgId, mailbox));
        if (options.json) printJson({ id });
        else printTable([{ id, next: `dmarc-ledger mailbox test ${id}` }]);
      }),
    );
}

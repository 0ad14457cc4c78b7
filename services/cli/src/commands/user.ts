import {
  addOperator,
  addUser,
  findMemberships,
  listOperators,
  listUsers,
  removeOperator,
  removeUser,
} from '@dmarc-ledger/ledger';
import { roles, type Role } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgFilter, orgOption } from '../options.ts';
import { listAcross, organizationsOf, orgIdOf, printListed } from '../organizations.ts';
import { openInvitations } from '../mail-invitation.ts';
import { print, printOne } from '../print.ts';
import { printedLink } from '../printed-link.ts';
import { withInstallation } from '../with-installation.ts';
import { readMailAddress } from './mail-address.ts';
import { printLink } from './sign-in.ts';

export function userCommand(): Command {
  return new Command('user')
    .description('people who sign in or own keys, and their roles')
    .addCommand(addCommand())
    .addCommand(inviteCommand())
    .addCommand(listCommand())
    .addCommand(operatorCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  return new Command('add')
    .argument('<email>', 'the address of the person', readMailAddress)
    .description('add a person to an organization')
    .addOption(orgOption())
    .addOption(new Option('--role <role>', 'what the keys of this person may do').choices(roles).makeOptionMandatory())
    .addOption(jsonOption())
    .addHelpText('after', examples("user add anna@example.com --org 'My organization' --role viewer"))
    .action((email: string, options: { org: string; role: Role; json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = await orgIdOf(work, options.org);
        const added = await addUser(work.installation.database.db, orgId, { email, role: options.role });
        printOne({ email: added.email, role: added.role }, options);
      }),
    );
}

function inviteCommand(): Command {
  return new Command('invite')
    .argument('<email>', 'the address of the person', readMailAddress)
    .description(
      'add a person to an organization, and print a link that signs them in to the pages, once; with SMTP_URL, mail ' +
        'it too',
    )
    .addOption(orgOption())
    .addOption(new Option('--role <role>', 'what this person may do').choices(roles).makeOptionMandatory())
    .addOption(jsonOption())
    .addHelpText('after', examples("user invite anna@example.com --org 'My organization' --role viewer"))
    .action((email: string, options: { org: string; role: Role; json?: boolean }) =>
      withInstallation(async (work) => {
        const { db } = work.installation.database;
        const orgId = await orgIdOf(work, options.org);
        const mail = await openInvitations(work); // a fault in its settings is found before anything changes
        await addUser(db, orgId, { email, role: options.role });
        const link = await printedLink(db, email, 'invitation');
        const mailed = await mail?.(email, link);
        if (!options.json) sayMailed(email, mailed);
        printLink(link, options, { mailed: mailed === true });
      }),
    );
}

function sayMailed(email: string, mailed: boolean | undefined): void {
  if (mailed === true) process.stderr.write(`The link was mailed to ${email} too; it works once.\n`);
  if (mailed === false) process.stderr.write('The mail server did not accept the mail: pass the link on yourself.\n');
}

function listCommand(): Command {
  return new Command('list')
    .description('the people of all organizations, or of one')
    .addOption(orgFilter())
    .addOption(jsonOption())
    .addHelpText('after', examples('user list', "user list --org 'My organization'"))
    .action((options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const find = (orgId: string) => listUsers(work.installation.database.db, orgId);
        const listed = await listAcross(await organizationsOf(work, options.org), find);
        printListed(listed, options, ({ email, role, removed_at }) => ({ email, role, removed: removed_at !== null }));
      }),
    );
}

function operatorCommand(): Command {
  return new Command('operator')
    .argument('[email]', 'the address of a member of an organization; without it, the operators are listed')
    .description('people who see the state of the installation on the pages')
    .addOption(new Option('--on', 'make the person an operator').conflicts('off'))
    .addOption(new Option('--off', 'the person is no longer an operator'))
    .addOption(jsonOption())
    .addHelpText('after', examples('user operator', 'user operator anna@example.com --on'))
    .action((email: string | undefined, options: { on?: boolean; off?: boolean; json?: boolean }) =>
      withInstallation(async (work) => {
        const { db } = work.installation.database;
        if (email === undefined) {
          const operators = (await listOperators(db)).map((operator) => ({ email: operator }));
          return print(operators, options);
        }
        if (options.on === undefined && options.off === undefined)
          throw new CliError('usage', 'Give --on or --off with the address.');
        if (options.on && (await findMemberships(db, email)).length === 0)
          throw new CliError('not_found', `${email} belongs to no organization; see: dmarc-ledger user list`);
        if (options.on) await addOperator(db, email);
        else if (!(await removeOperator(db, email)))
          throw new CliError('not_found', `${email} is no operator; see: dmarc-ledger user operator`);
        printOne({ email, operator: options.on === true }, options);
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .argument('<email>', 'the address of the person')
    .description('remove a person from an organization; their keys stop working')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("user remove anna@example.com --org 'My organization'"))
    .action((email: string, options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        await removeUser(work.installation.database.db, await orgIdOf(work, options.org), email);
        printOne({ email, removed: true }, options);
      }),
    );
}

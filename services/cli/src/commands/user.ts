import { addUser, listUsers, removeUser } from '@dmarc-ledger/ledger';
import { roles, type Role } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { examples, jsonOption, orgFilter, orgOption } from '../options.ts';
import { listAcross, organizationsOf, orgIdOf, printListed } from '../organizations.ts';
import { print, printOne } from '../print.ts';
import { withInstallation } from '../with-installation.ts';

export function userCommand(): Command {
  return new Command('user')
    .description('people who own keys, and their roles')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  return new Command('add')
    .argument('<email>', 'the address of the person')
    .description('add a person to an organization')
    .addOption(orgOption())
    .addOption(new Option('--role <role>', 'what the keys of this person may do').choices(roles).makeOptionMandatory())
    .addOption(jsonOption())
    .addHelpText('after', examples("user add anna@example.com --org 'My organization' --role viewer"))
    .action((email: string, options: { org: string; role: Role; json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = await orgIdOf(work, options.org);
        const added = await addUser(work.installation.database.db, orgId, { email, role: options.role });
        print([{ email: added.email, role: added.role }], options);
      }),
    );
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

function removeCommand(): Command {
  return new Command('remove')
    .argument('<email>', 'the address of the person')
    .description('remove a person from an organization: their keys open nothing from then on')
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

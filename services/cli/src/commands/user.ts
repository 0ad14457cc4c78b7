import { addUser, listUsers, removeUser } from '@dmarc-ledger/db';
import { roles, type Role } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { print } from '../print.ts';
import { orgIdOf, withInstallation } from '../with-installation.ts';

export function userCommand(): Command {
  const user = new Command('user').description('people who own keys, and their role');
  user
    .command('add')
    .argument('<email>')
    .description('add a person')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .addOption(new Option('--role <role>').choices(roles).makeOptionMandatory())
    .option('--json')
    .action((email: string, options: { org: string; role: Role; json?: boolean }) =>
      withInstallation(async (work) => {
        const added = await addUser(work.installation.database.db, await orgIdOf(work, options.org), {
          email,
          role: options.role,
        });
        print([{ email: added.email, role: added.role }], options);
      }),
    );
  user
    .command('list')
    .description('everybody of an organization')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--json')
    .action((options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const users = await listUsers(work.installation.database.db, await orgIdOf(work, options.org));
        print(
          users.map(({ email, role, removed_at }) => ({ email, role, removed: removed_at !== null })),
          options,
        );
      }),
    );
  user
    .command('remove')
    .argument('<email>')
    .description('take a person out: their keys allow nothing from then on')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .action((email: string, options: { org: string }) =>
      withInstallation(async (work) => {
        await removeUser(work.installation.database.db, await orgIdOf(work, options.org), email);
      }),
    );
  return user;
}

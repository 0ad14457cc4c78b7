import { createOrganization, leaveOrganization, listOrganizations, setOrganization } from '@dmarc-ledger/db';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { print, printJson, type Row } from '../print.ts';
import { orgIdOf, withInstallation } from '../with-installation.ts';

type Organization = Awaited<ReturnType<typeof listOrganizations>>[number];

const collect = (value: string, all: string[] = []) => [...all, value];

export function orgCommand(): Command {
  const org = new Command('org').description('organizations, their plan and their report addresses');
  org
    .command('create')
    .argument('<name>')
    .description('make an organization')
    .option('--plan <code>')
    .option('--rua <address>', 'an address that reports are asked for at (repeatable)', collect)
    .option('--json')
    .action((name: string, options: { plan?: string; rua?: string[]; json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        show(
          await createOrganization(installation.database.db, {
            name,
            plan: options.plan,
            reportAddresses: options.rua,
          }),
          options,
        );
      }),
    );
  org
    .command('list')
    .description('all organizations')
    .option('--json')
    .action((options: { json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        print((await listOrganizations(installation.database.db)).map(rowOf), options);
      }),
    );
  org
    .command('set')
    .argument('<id>')
    .description('change what is given, leave the rest')
    .option('--name <name>')
    .option('--plan <code>')
    .option('--rua <address>', 'all addresses (repeatable)', collect)
    .addOption(new Option('--suspended <yes|no>').choices(['yes', 'no']))
    .option('--json')
    .action(
      (id: string, options: { name?: string; plan?: string; rua?: string[]; suspended?: string; json?: boolean }) =>
        withInstallation(async (work) => {
          const { name, plan, rua: reportAddresses } = options;
          const suspended = options.suspended === undefined ? undefined : options.suspended === 'yes';
          const orgId = await orgIdOf(work, id);
          show(
            await setOrganization(work.installation.database.db, orgId, { name, plan, reportAddresses, suspended }),
            options,
          );
        }),
    );
  org
    .command('remove')
    .argument('<id>')
    .description('remove an organization with everything of it, for good: at once nobody gets in, then a job deletes')
    .requiredOption('--yes', 'yes, for good')
    .option('--json')
    .action((id: string, options: { json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = await orgIdOf(work, id);
        await leaveOrganization(work.installation.database, orgId);
        print([{ id: idText(orgId), removed: true }], options);
      }),
    );
  return org;
}

function show(organization: Organization, options: { json?: boolean }): void {
  if (options.json) printJson(rowOf(organization));
  else print([rowOf(organization)], options);
}

function rowOf({ id, name, plan, report_addresses, suspended_at, removed_at }: Organization): Row {
  return {
    id: idText(id),
    name,
    plan,
    rua: report_addresses.join(','),
    suspended: suspended_at !== null,
    removed: removed_at !== null,
  };
}

import { createOrganization, leaveOrganization, listOrganizations, setOrganization } from '@dmarc-ledger/ledger';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption } from '../options.ts';
import { orgIdOf, type Organization } from '../organizations.ts';
import { print, printOne, type Row } from '../print.ts';
import { withInstallation } from '../with-installation.ts';
import { readMailAddress } from './mail-address.ts';
import { readShortText } from './short-text.ts';

const LONGEST_NAME = 200;

interface SetOptions {
  name?: string;
  plan?: string;
  rua?: string[];
  suspended?: string;
  unauthenticated?: 'count' | 'hold';
  json?: boolean;
}

/** Refuses an empty name, as it identifies the organization in lists and in the options of commands. */
function readName(text: string): string {
  const name = readShortText('The name', LONGEST_NAME)(text);
  if (name === '') throw new CliError('usage', 'Give the organization a name.');
  return name;
}

/** Adds the addresses of one `--rua`, which may be written as in a DMARC record: `mailto:` and commas. */
function addReportAddresses(value: string, all: string[] = []): string[] {
  const given = value.split(',').map((part) => part.trim().replace(/^mailto:/i, ''));
  return [...all, ...given.map(readMailAddress)];
}

export function orgCommand(): Command {
  return new Command('org')
    .description('organizations, their plan and their report addresses')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(removeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .argument('<name>', 'its name, which must be unique', readName)
    .description('create an organization')
    .option('--plan <code>', 'its plan (default: standard)')
    .option('--rua <address>', 'an address at which it receives reports (repeatable)', addReportAddresses)
    .addOption(jsonOption())
    .addHelpText('after', examples("org create 'My customer' --rua reports+customer@example.com"))
    .action((name: string, options: { plan?: string; rua?: string[]; json?: boolean }) =>
      withInstallation(async ({ installation: { database } }) => {
        const { plan, rua: reportAddresses } = options;
        printOne(rowOf(await createOrganization(database.db, { name, plan, reportAddresses })), options);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('all organizations')
    .addOption(jsonOption())
    .addHelpText('after', examples('org list'))
    .action((options: { json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        print((await listOrganizations(installation.database.db)).map(rowOf), options);
      }),
    );
}

function setCommand(): Command {
  return new Command('set')
    .argument('<id>', 'the organization, by id or name')
    .description('change settings of an organization; options that are not given stay as they are')
    .option('--name <name>', 'a new name', readName)
    .option('--plan <code>', 'another plan')
    .option(
      '--rua <address>',
      'an address at which it receives reports; all are replaced (repeatable)',
      addReportAddresses,
    )
    .addOption(new Option('--suspended <yes|no>', 'whether all of its keys are disabled').choices(['yes', 'no']))
    .addOption(
      new Option(
        '--unauthenticated <mode>',
        'count reports whose mail did not pass as the reporter, or hold them until intake release',
      ).choices(['count', 'hold']),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        "org set 'My customer' --plan standard",
        "org set 'My customer' --suspended yes",
        "org set 'My customer' --unauthenticated hold",
      ),
    )
    .action((id: string, options: SetOptions) =>
      withInstallation(async (work) => {
        const { name, plan, rua: reportAddresses, unauthenticated } = options;
        const suspended = options.suspended === undefined ? undefined : options.suspended === 'yes';
        const change = { name, plan, reportAddresses, suspended, unauthenticated };
        const orgId = await orgIdOf(work, id);
        printOne(rowOf(await setOrganization(work.installation.database, orgId, change)), options);
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .argument('<id>', 'the organization, by id or name')
    .description('delete an organization with all its data: its keys stop working at once, a job deletes the rest')
    .requiredOption('--yes', 'confirm: this cannot be undone')
    .addOption(jsonOption())
    .addHelpText('after', examples("org remove 'My customer' --yes"))
    .action((id: string, options: { json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = await orgIdOf(work, id);
        await leaveOrganization(work.installation.database, orgId);
        printOne({ id: idText(orgId), removed: true }, options);
      }),
    );
}

function rowOf({ id, name, plan, report_addresses, unauthenticated, suspended_at, removed_at }: Organization): Row {
  return {
    id: idText(id),
    name,
    plan,
    rua: report_addresses.join(','),
    suspended: suspended_at !== null,
    removed: removed_at !== null,
    unauthenticated,
  };
}

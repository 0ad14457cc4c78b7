import { findNotifications, findTarget, listTargets, removeTarget, type Target } from '@dmarc-ledger/ledger';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, InvalidArgumentError } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgFilter, ownerOption, SAMPLE_ID } from '../options.ts';
import { organizationsOf, orgIdOf, printListed, withOrganization } from '../organizations.ts';
import { print, printOne } from '../print.ts';
import { noSuch, readIdOf } from '../row-id.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { addWebhookCommand } from './webhook-add.ts';
import { notificationJson, targetRow, targetJson } from './webhook-output.ts';
import { testTarget } from './webhook-test.ts';

const TARGET = 'the id of a target, as webhook list shows it';

interface IdOptions {
  org?: string;
  json?: boolean;
}

export function webhookCommand(): Command {
  return new Command('webhook')
    .description('targets of notifications, by webhook, mail, Slack or Teams, and what was sent to them')
    .addCommand(addWebhookCommand())
    .addCommand(listCommand())
    .addCommand(testCommand())
    .addCommand(logCommand())
    .addCommand(removeCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('the targets of all organizations, or of one')
    .addOption(orgFilter())
    .addOption(jsonOption())
    .addHelpText('after', examples('webhook list', "webhook list --org 'My organization'"))
    .action((options: IdOptions) =>
      withInstallation(async (work) => {
        const organizations = await organizationsOf(work, options.org);
        const orgId = options.org === undefined ? undefined : organizations[0]?.id;
        const targets = await listTargets(work.installation.database.db, orgId);
        printListed(withOrganization(organizations, targets), options, targetRow, targetJson);
      }),
    );
}

function testCommand(): Command {
  return new Command('test')
    .argument('<id>', TARGET, readIdOf('target'))
    .description('send a test event now, and show the answer')
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`webhook test ${SAMPLE_ID}`))
    .action((id: string, options: IdOptions) =>
      withInstallation(async (work) => await testTarget(work, await activeTarget(work, id, options.org), options)),
    );
}

function logCommand(): Command {
  return new Command('log')
    .argument('<id>', TARGET, readIdOf('target'))
    .description('what was sent to a target, newest first')
    .addOption(ownerOption())
    .option('--limit <n>', 'show at most this many', readLimit, 50)
    .addOption(jsonOption())
    .addHelpText('after', examples(`webhook log ${SAMPLE_ID} --limit 10`))
    .action((id: string, options: IdOptions & { limit: number }) =>
      withInstallation(async (work) => {
        const { org_id: orgId, id: targetId } = await targetOf(work, id, options.org);
        const rows = await findNotifications(work.installation.database.db, { orgId, targetId }, options.limit);
        print(rows.map(notificationJson), options);
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .argument('<id>', TARGET, readIdOf('target'))
    .description('stop sending to a target; its log stays')
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`webhook remove ${SAMPLE_ID}`))
    .action((id: string, options: IdOptions) =>
      withInstallation(async (work) => {
        const { org_id: orgId, id: targetId } = await activeTarget(work, id, options.org);
        await removeTarget(work.installation.database, { orgId, targetId });
        printOne({ id: idText(targetId), removed: true }, options);
      }),
    );
}

/** Finds a target by its id, including removed ones, as their logs stay. */
async function targetOf(work: Work, id: string, org: string | undefined): Promise<Target> {
  const within = org === undefined ? undefined : await orgIdOf(work, org);
  const target = await findTarget(work.installation.database.db, id);
  if (!target || (within ?? target.org_id) !== target.org_id) throw noSuch('target', id);
  return target;
}

async function activeTarget(work: Work, id: string, org: string | undefined): Promise<Target> {
  const target = await targetOf(work, id, org);
  if (target.removed_at) throw new CliError('not_found', `The target ${idText(id)} has been removed.`);
  return target;
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
}

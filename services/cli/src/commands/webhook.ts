import { addTarget, findDeliveries, findTarget, listTargets, removeTarget, type Target } from '@dmarc-ledger/db';
import { lookupEnv, readEnv } from '@dmarc-ledger/runtime';
import { idText, parseId } from '@dmarc-ledger/vocabulary';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';
import { readTarget, type WebhookOptions } from './webhook-options.ts';
import { deliveryStory, targetRow, targetStory } from './webhook-story.ts';
import { testTarget } from './webhook-test.ts';

const { ALLOW_PRIVATE_ADDRESSES } = lookupEnv;

export function webhookCommand(): Command {
  const webhook = new Command('webhook').description(
    'who is told of events, by webhook or mail, and what became of it',
  );
  webhook.addCommand(addCommand());
  webhook
    .command('list')
    .description('all targets, or those of an organization')
    .option('--org <id>', 'one organization; all when not told')
    .option('--json')
    .action((options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = options.org === undefined ? undefined : await orgIdOf(work, options.org);
        const targets = await listTargets(work.installation.database.db, orgId);
        if (options.json) printJson(targets.map(targetStory));
        else print(targets.map(targetRow), options);
      }),
    );
  webhook
    .command('test')
    .argument('<id>')
    .description('send a test event now, and tell the answer')
    .option('--json')
    .action((id: string, options: { json?: boolean }) =>
      withInstallation(async (work) => await testTarget(work, await servedTarget(work, id), options)),
    );
  webhook
    .command('log')
    .argument('<id>')
    .description('what became of the events that were for a target, newest first')
    .option('--limit <n>', 'how many', readLimit, 50)
    .option('--json')
    .action((id: string, options: { limit: number; json?: boolean }) =>
      withInstallation(async (work) => {
        const { org_id: orgId, id: targetId } = await targetOf(work, id);
        const rows = await findDeliveries(work.installation.database.db, { orgId, targetId }, options.limit);
        print(rows.map(deliveryStory), options);
      }),
    );
  webhook
    .command('remove')
    .argument('<id>')
    .description('tell a target nothing more; its log stays')
    .option('--json')
    .action((id: string, options: { json?: boolean }) =>
      withInstallation(async (work) => {
        const { org_id: orgId, id: targetId } = await servedTarget(work, id);
        await removeTarget(work.installation.database, { orgId, targetId });
        if (options.json) printJson({ id, removed: true });
        else print([{ id, removed: true }], options);
      }),
    );
  return webhook;
}

function addCommand(): Command {
  return new Command('add')
    .argument('<target>', 'https://… or mailto:ADDRESS,ADDRESS')
    .description('tell a target of events from now on, and print its secret once; one that is there is described anew')
    .requiredOption('--org <id>', 'whose events')
    .option('--types <codes>', 'types of events, by commas; all when not told', (text: string) => text.split(','))
    .addOption(
      new Option('--min-severity <severity>', 'nothing below it')
        .choices(['info', 'warning', 'critical'])
        .default('info'),
    )
    .option('--secret-env <variable>', 'the environment variable that holds a secret of your own')
    .option('--json')
    .action((place: string, options: WebhookOptions & { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const env = readEnv({ ALLOW_PRIVATE_ADDRESSES }, process.env);
        const orgId = await orgIdOf(work, options.org);
        const isOpen = env.ALLOW_PRIVATE_ADDRESSES === 'on';
        const { target, secret } = readTarget(work.installation, orgId, place, options, isOpen);
        const id = idText(await addTarget(work.installation.database.db, orgId, target));
        if (options.json) return printJson({ id, secret });
        process.stdout.write(`id      ${id}\n${secret === null ? '' : `secret  ${secret}\n`}`);
        process.stdout.write(`next    dmarc-ledger webhook test ${id}\n`);
      }),
    );
}

/** Also one that has been removed: its log stays. */
async function targetOf({ installation }: Work, given: string): Promise<Target> {
  const id = parseId(given);
  const target = id && (await findTarget(installation.database.db, id));
  if (!target) throw new CliError('not_found', `There is no target ${given}; see: dmarc-ledger webhook list`);
  return target;
}

async function servedTarget(work: Work, given: string): Promise<Target> {
  const target = await targetOf(work, given);
  if (target.removed_at) throw new CliError('not_found', `The target ${given} has been removed.`);
  return target;
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
}

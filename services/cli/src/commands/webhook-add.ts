import { addTarget } from '@dmarc-ledger/ledger';
import { lookupEnv, readEnv } from '@dmarc-ledger/runtime';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { examples, jsonOption, orgOption } from '../options.ts';
import { noteMissingMail } from '../mail-note.ts';
import { orgIdOf } from '../organizations.ts';
import { printJson } from '../print.ts';
import { withInstallation } from '../with-installation.ts';
import { readTarget, type WebhookOptions } from './webhook-options.ts';

const { ALLOW_PRIVATE_ADDRESSES } = lookupEnv;

const UPDATED = 'the target was there already, and has these settings now';
const RESIGNED = `${UPDATED}; its earlier secret no longer works`;

export function addWebhookCommand(): Command {
  return new Command('add')
    .argument('<target>', 'https://… or mailto:ADDRESS,ADDRESS')
    .description('send events to a target, and print its secret once; an existing target gets these settings')
    .addOption(orgOption('the organization whose events are sent, by id or name'))
    .option('--types <codes>', 'only these types of events, separated by commas (default: all)', (text: string) =>
      text.split(','),
    )
    .addOption(
      new Option('--min-severity <severity>', 'only events of this severity or a higher one')
        .choices(['info', 'warning', 'critical'])
        .default('info'),
    )
    .addOption(
      new Option('--format <format>', 'the format that the URL expects (default: recognized by its host)').choices([
        'webhook',
        'slack',
        'teams',
      ]),
    )
    .option('--secret-env <variable>', 'the environment variable that holds a secret of your own')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        "webhook add https://hooks.example.com/dmarc --org 'My organization' --min-severity warning",
        "webhook add mailto:ops@example.com --org 'My organization'",
        "webhook add https://hooks.slack.com/services/T0/B0/XXXX --org 'My organization' --min-severity critical",
      ),
    )
    .action((place: string, options: WebhookOptions & { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const env = readEnv({ ALLOW_PRIVATE_ADDRESSES }, process.env);
        const orgId = await orgIdOf(work, options.org);
        const isOpen = env.ALLOW_PRIVATE_ADDRESSES === 'on';
        const { target, secret } = readTarget({ secrets: work.installation.secrets, isOpen }, orgId, place, options);
        const added = await addTarget(work.installation.database, orgId, target);
        const id = idText(added.id);
        if (options.json) return printJson({ id, secret, ...(added.wasKnown && { was_known: true }) });
        process.stdout.write(`id      ${id}\n${secret === null ? '' : `secret  ${secret}\n`}`);
        if (added.wasKnown) process.stdout.write(`known   ${secret === null ? UPDATED : RESIGNED}\n`);
        process.stdout.write(`next    dmarc-ledger webhook test ${id}\n`);
        if (target.kind === 'email') noteMissingMail();
      }),
    );
}

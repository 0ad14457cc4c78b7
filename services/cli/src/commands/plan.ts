import { listPlans, setPlan } from '@dmarc-ledger/ledger';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption } from '../options.ts';
import { print, printOne } from '../print.ts';
import { withInstallation } from '../with-installation.ts';
import { readShortText } from './short-text.ts';

const LONGEST_CODE = 100;

export function planCommand(): Command {
  const plan = new Command('plan').description('plans: their quota, and whether they include the API');
  plan
    .command('set')
    .argument('<code>', 'such as standard', readCode)
    .description('create a plan, or change it')
    .option('--hourly-quota <n>', 'requests an hour, or none for no quota')
    .addOption(new Option('--api <on|off>', 'whether the plan includes the API').choices(['on', 'off']))
    .addOption(jsonOption())
    .addHelpText('after', examples('plan set standard --hourly-quota 10000 --api on'))
    .action((code: string, options: { hourlyQuota?: string; api?: string; json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        const api = options.api === undefined ? undefined : options.api === 'on';
        const hourlyQuota = readQuota(options.hourlyQuota);
        printOne(await setPlan(installation.database, { code, hourlyQuota, api }), options);
      }),
    );
  plan
    .command('list')
    .description('all plans')
    .addOption(jsonOption())
    .addHelpText('after', examples('plan list'))
    .action((options: { json?: boolean }) =>
      withInstallation(async ({ installation }) => print(await listPlans(installation.database.db), options)),
    );
  return plan;
}

function readCode(text: string): string {
  const code = readShortText('The code', LONGEST_CODE)(text);
  if (code === '') throw new CliError('usage', 'Give the plan a code, such as standard.');
  return code;
}

function readQuota(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new CliError('usage', '--hourly-quota takes a whole number above 0, or none.');
  return Number(text);
}

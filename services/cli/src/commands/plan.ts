import { listPlans, setPlan } from '@dmarc-ledger/db';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { print } from '../print.ts';
import { withInstallation } from '../with-installation.ts';

export function planCommand(): Command {
  const plan = new Command('plan').description('quotas and what a plan includes');
  plan
    .command('set')
    .argument('<code>')
    .description('make a plan, or change it')
    .option('--hourly-quota <n>', 'requests an hour, or none')
    .addOption(new Option('--api <on|off>', 'whether keys open the API').choices(['on', 'off']))
    .option('--json')
    .action((code: string, options: { hourlyQuota?: string; api?: string; json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        const api = options.api === undefined ? undefined : options.api === 'on';
        print(
          [await setPlan(installation.database.db, { code, hourlyQuota: readQuota(options.hourlyQuota), api })],
          options,
        );
      }),
    );
  plan
    .command('list')
    .description('all plans')
    .option('--json')
    .action((options: { json?: boolean }) =>
      withInstallation(async ({ installation }) => print(await listPlans(installation.database.db), options)),
    );
  return plan;
}

function readQuota(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new CliError('usage', '--hourly-quota takes a whole number above 0, or none.');
  return Number(text);
}

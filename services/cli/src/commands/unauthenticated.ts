import { findUnauthenticatedDays } from '@dmarc-ledger/ledger';
import { readDomainName, rate } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgFilter } from '../options.ts';
import { listAcross, organizationsOf, printListed } from '../organizations.ts';
import { withInstallation } from '../with-installation.ts';

const MOST_DAYS = 400;

interface Options {
  org?: string;
  domain?: string;
  days: number;
  json?: boolean;
}

export function unauthenticatedCommand(): Command {
  return new Command('unauthenticated')
    .description('show the counted messages of reports whose mail did not pass as the reporter, by domain and day')
    .addOption(orgFilter())
    .option('--domain <domain>', 'only this domain')
    .option('--days <n>', `the number of days, ending today, 1 to ${MOST_DAYS}`, readDays, 30)
    .addOption(jsonOption())
    .addHelpText('after', examples('intake unauthenticated', 'intake unauthenticated --domain example.com --days 90'))
    .action((options: Options) =>
      withInstallation(async (work) => {
        const domain = domainOf(options.domain);
        const find = (orgId: string) =>
          findUnauthenticatedDays(work.installation.database.db, orgId, { domain, days: options.days });
        const listed = await listAcross(await organizationsOf(work, options.org), find);
        printListed(listed, options, (day) => ({ ...day, percent: rate(day.unauthenticated, day.messages) }));
      }),
    );
}

function domainOf(given: string | undefined): string | undefined {
  const domain = given === undefined ? undefined : readDomainName(given);
  if (given !== undefined && domain === undefined) throw new CliError('usage', `${given} is not a domain name.`);
  return domain;
}

function readDays(text: string): number {
  const days = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS) throw new CliError('usage', `--days takes a whole number from 1 to ${MOST_DAYS}.`);
  return days;
}

import { findFailureReports, findTlsReports } from '@dmarc-ledger/db';
import { idText, instantText, warningText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson, type Row } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

interface ListOptions {
  org: string;
  domain?: string;
  limit: number;
  json?: boolean;
}

export function tlsrptCommand(): Command {
  return new Command('tlsrpt').description('reports on TLS sessions').addCommand(
    listCommand('reports, those of the newest day first', async ({ installation }, orgId, filter) =>
      (await findTlsReports(installation.database.db, orgId, filter)).map(
        ({ id, received_at, warnings, ...report }) => ({
          id: idText(id),
          received: instantText(received_at),
          ...report,
          warnings: warnings.map(warningText),
        }),
      ),
    ),
  );
}

export function rufCommand(): Command {
  return new Command('ruf').description('reports on single failures, redacted').addCommand(
    listCommand('reports, newest first', async ({ installation }, orgId, filter) =>
      (await findFailureReports(installation.database.db, orgId, filter)).map(
        ({ id, received_at, arrived_at, warnings, ...report }) => ({
          id: idText(id),
          received: instantText(received_at),
          arrived: arrived_at && instantText(arrived_at),
          ...report,
          warnings: warnings.map(warningText),
        }),
      ),
    ),
  );
}

type Cell = string | number | null | string[];

function listCommand(
  description: string,
  find: (
    work: Work,
    orgId: string,
    filter: { domain?: string; limit: number },
  ) => Promise<{ [column: string]: Cell }[]>,
): Command {
  return new Command('list')
    .description(description)
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--domain <name>', 'about this domain alone', readDomainName)
    .option('--limit <n>', 'how many at most', readLimit, 50)
    .option('--json')
    .action((options: ListOptions) =>
      withInstallation(async (work) => {
        const reports = await find(work, await orgIdOf(work, options.org), options);
        if (options.json) printJson(reports);
        else print(reports.map(rowOf), options);
      }),
    );
}

function rowOf(report: { [column: string]: Cell }): Row {
  return Object.fromEntries(
    Object.entries(report).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') || null : value]),
  );
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new CliError('usage', '--limit takes a whole number from 1 to 99999.');
  return Number(text);
}

import { findFailureReports, findTlsReports } from '@dmarc-ledger/queries';
import { idText, instantText, warningText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { examples, jsonOption, orgFilter, readLimit } from '../options.ts';
import { listAcross, organizationsOf, printListed } from '../organizations.ts';
import type { Row } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

interface ListOptions {
  org?: string;
  domain?: string;
  limit: number;
  json?: boolean;
}

type TlsReport = Awaited<ReturnType<typeof findTlsReports>>[number];
type FailureReport = Awaited<ReturnType<typeof findFailureReports>>[number];
type JsonDocument = { [column: string]: string | number | null | string[] };

export function tlsrptCommand(): Command {
  return new Command('tlsrpt').description('reports on TLS sessions').addCommand(
    listCommand<TlsReport>({
      description: 'reports on TLS sessions, newest day first',
      example: 'tlsrpt list --domain example.com',
      find: ({ installation }, orgId, filter) => findTlsReports(installation.database.db, orgId, filter),
      compare: (a, b) => newest(a.day, b.day) || newest(a.id, b.id),
      toJson: ({ id, received_at, warnings, ...report }) => ({
        id: idText(id),
        received: instantText(received_at),
        ...report,
        warnings: warnings.map(warningText),
      }),
    }),
  );
}

export function rufCommand(): Command {
  return new Command('ruf').description('failure reports about single messages, redacted').addCommand(
    listCommand<FailureReport>({
      description: 'failure reports, newest first',
      example: 'ruf list --domain example.com',
      find: ({ installation }, orgId, filter) => findFailureReports(installation.database.db, orgId, filter),
      compare: (a, b) => b.received_at.getTime() - a.received_at.getTime() || newest(a.id, b.id),
      toJson: ({ id, received_at, arrived_at, warnings, ...report }) => ({
        id: idText(id),
        received: instantText(received_at),
        arrived: arrived_at && instantText(arrived_at),
        ...report,
        warnings: warnings.map(warningText),
      }),
    }),
  );
}

interface Listing<Report> {
  description: string;
  example: string;
  find: (work: Work, orgId: string, filter: { domain?: string; limit: number }) => Promise<Report[]>;
  compare: (a: Report, b: Report) => number;
  toJson: (report: Report) => JsonDocument;
}

function listCommand<Report>({ description, example, find, compare, toJson }: Listing<Report>): Command {
  return new Command('list')
    .description(description)
    .addOption(orgFilter())
    .option('--domain <name>', 'only reports about this domain', readDomainName)
    .option('--limit <n>', 'show at most this many', readLimit, 50)
    .addOption(jsonOption())
    .addHelpText('after', examples(example))
    .action((options: ListOptions) =>
      withInstallation(async (work) => {
        const organizations = await organizationsOf(work, options.org);
        const order = { compare, limit: options.limit };
        const listed = await listAcross(organizations, (orgId) => find(work, orgId, options), order);
        printListed(listed, options, (report) => rowOf(toJson(report)), toJson);
      }),
    );
}

function rowOf(report: JsonDocument): Row {
  return Object.fromEntries(
    Object.entries(report).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') || null : value]),
  );
}

function newest(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

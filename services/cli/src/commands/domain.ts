import { addDomain, type MonitoredOptions, removeDomain } from '@dmarc-ledger/ledger';
import { type DomainRow, findDomains } from '@dmarc-ledger/queries';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgFilter, orgOption } from '../options.ts';
import { listAcross, organizationsOf, orgIdOf, printListed } from '../organizations.ts';
import { print, printOne, type Row } from '../print.ts';
import { withInstallation } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

const ALL = { limit: 1_000_000, offset: 0 };

export function domainCommand(): Command {
  return new Command('domain')
    .description('monitored domains; a report about another domain adds it')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}

function addCommand(): Command {
  return new Command('add')
    .argument('<name...>', 'such as example.com', (text: string, before?: string[]) => [
      ...(before ?? []),
      readDomainName(text),
    ])
    .description('monitor domains')
    .addOption(orgOption())
    .option('--tlsrpt', 'expect reports on TLS; the API shows whether they are set up')
    .option('--no-tlsrpt', 'expect none; what is left out stays as it is')
    .option('--forensic', 'expect failure reports')
    .option('--no-forensic', 'expect none')
    .option('--aprf', 'expect placement reports')
    .option('--no-aprf', 'expect none')
    .addOption(jsonOption())
    .addHelpText('after', examples("domain add example.com example.net --org 'My organization' --tlsrpt"))
    .action((names: string[], options: MonitoredOptions & { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const orgId = await orgIdOf(work, options.org);
        const added = [];
        for (const name of new Set(names))
          added.push(await addDomain(work.installation.database.db, orgId, name, options));
        print(
          added.map(({ name, source }) => ({ domain: name, source })),
          options,
        );
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('the monitored domains, with the state of their records')
    .addOption(orgFilter())
    .addOption(jsonOption())
    .addHelpText('after', examples('domain list', "domain list --org 'My organization'"))
    .action((options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const { db } = work.installation.database;
        const find = async (orgId: string) => (await findDomains(db, orgId, ALL)).rows;
        printListed(await listAcross(await organizationsOf(work, options.org), find), options, domainRow);
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .argument('<name>', 'such as example.com', readDomainName)
    .description('stop monitoring a domain; its reports stay')
    .addOption(orgOption())
    .addOption(jsonOption())
    .addHelpText('after', examples("domain remove example.com --org 'My organization'"))
    .action((domain: string, options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const removed = await removeDomain(work.installation.database, await orgIdOf(work, options.org), domain);
        if (!removed) throw new CliError('not_found', `${domain} is not monitored.`);
        printOne({ domain, removed }, options);
      }),
    );
}

function domainRow(domain: DomainRow): Row {
  return {
    domain: domain.name,
    source: domain.source,
    reports: domain.reports,
    verified: domain.verified_source,
    from: domain.inherited_from,
    dmarc_state: domain.dmarc_state,
    tlsrpt_state: domain.tlsrpt_state,
    forensic_state: domain.forensic_state,
    aprf_state: domain.aprf_state,
  };
}

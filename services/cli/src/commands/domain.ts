import { addDomain, findDomains, removeDomain, type MonitoredOptions } from '@dmarc-ledger/db';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { print } from '../print.ts';
import { orgIdOf, withInstallation } from '../with-installation.ts';
import { readDomainName } from './domain-name.ts';

const ALL = 1_000_000;

export function domainCommand(): Command {
  const domain = new Command('domain').description('monitored domains; reports add theirs by themselves');
  domain
    .command('add')
    .argument('<name...>', 'such as example.com', (text: string, before?: string[]) => [
      ...(before ?? []),
      readDomainName(text),
    ])
    .description('monitor domains')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--tlsrpt', 'reports on TLS are wanted of them; the API shows that')
    .option('--forensic', 'the same of failure reports')
    .option('--aprf', 'the same of placement reports')
    .option('--json')
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
  domain
    .command('list')
    .description('all monitored domains')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--json')
    .action((options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const { rows } = await findDomains(work.installation.database.db, await orgIdOf(work, options.org), {
          limit: ALL,
          offset: 0,
        });
        print(
          rows.map(
            ({
              name,
              source,
              reports,
              verified_source,
              inherited_from,
              dmarc_state,
              tlsrpt_state,
              forensic_state,
              aprf_state,
            }) => ({
              domain: name,
              source,
              reports,
              verified: verified_source,
              from: inherited_from,
              dmarc_state,
              tlsrpt_state,
              forensic_state,
              aprf_state,
            }),
          ),
          options,
        );
      }),
    );
  domain
    .command('remove')
    .argument('<name>', 'such as example.com', readDomainName)
    .description('stop monitoring a domain; its reports stay')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .action((name: string, options: { org: string }) =>
      withInstallation(async (work) => {
        const removed = await removeDomain(work.installation.database.db, await orgIdOf(work, options.org), name);
        if (!removed) throw new CliError('not_found', `${name} is not monitored.`);
      }),
    );
  return domain;
}

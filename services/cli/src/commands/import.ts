import { Command, Option } from 'commander';
import { examples, jsonOption, orgOption } from '../options.ts';
import { type DatabaseOptions, sourceUrl, withSource, zoneOf } from './import-database.ts';
import { type ImportOptions, runImport } from './import-run.ts';

type OfDatabase = ImportOptions & DatabaseOptions;

export function importCommand(): Command {
  return new Command('import')
    .description('import the reports that another tool stored; the same report from mail replaces an imported one')
    .addCommand(parsedmarcCommand())
    .addCommand(parsedmarcDatabaseCommand())
    .addCommand(dmarctsCommand())
    .addCommand(dmarcSrgCommand());
}

function parsedmarcCommand(): Command {
  return withImportOptions(new Command('parsedmarc'))
    .argument('<path...>', 'JSON, NDJSON and CSV files, also in gzip, and folders of them')
    .description('the output files of parsedmarc, and exports of its index in Elasticsearch or OpenSearch')
    .addOption(timezoneOption('of the machine that ran parsedmarc, for files without intervals'))
    .addHelpText(
      'after',
      examples(
        "import parsedmarc aggregate.json --org 'My organization' --dry-run",
        "import parsedmarc exports/ --org 'My organization' --count",
      ),
    )
    .action(async (paths: string[], options: ImportOptions & { timezone: string }) => {
      const zone = zoneOf(options.timezone);
      const { readParsedmarcFiles } = await import('@dmarc-ledger/imports');
      await runImport(options, () => readParsedmarcFiles(paths, { zone }));
    });
}

function parsedmarcDatabaseCommand(): Command {
  return withDatabaseOptions(new Command('parsedmarc-database'))
    .description('the tables that parsedmarc writes to PostgreSQL')
    .addHelpText('after', examples("import parsedmarc-database --org 'My organization' --database-env PARSEDMARC_URL"))
    .action(async (options: OfDatabase) => {
      const url = sourceUrl(options);
      const { readParsedmarcTables } = await import('@dmarc-ledger/imports');
      await runImport(options, () => withSource(url, ['postgres'], readParsedmarcTables));
    });
}

function dmarctsCommand(): Command {
  return withDatabaseOptions(new Command('dmarcts'))
    .description('a database of dmarcts-report-parser; raw reports in it are taken in as they are, and count')
    .addOption(timezoneOption('of the server, for a database in PostgreSQL'))
    .addHelpText(
      'after',
      examples(
        "import dmarcts --org 'My organization' --database-env DMARCTS_URL",
        "import dmarcts --org 'My organization' --database mysql://reader@db.example.com/dmarc --password-env " +
          'DB_PASSWORD',
      ),
    )
    .action(async (options: OfDatabase & { timezone: string }) => {
      const [url, zone] = [sourceUrl(options), zoneOf(options.timezone)];
      const { readDmarcts } = await import('@dmarc-ledger/imports');
      await runImport(options, () => withSource(url, ['mysql', 'postgres'], (source) => readDmarcts(source, { zone })));
    });
}

function dmarcSrgCommand(): Command {
  return withDatabaseOptions(new Command('dmarc-srg'))
    .description('a database of dmarc-srg')
    .option('--prefix <prefix>', 'the prefix of its tables', '')
    .addHelpText('after', examples("import dmarc-srg --org 'My organization' --database-env DMARC_SRG_URL"))
    .action(async (options: OfDatabase & { prefix: string }) => {
      const url = sourceUrl(options);
      const { readDmarcSrg } = await import('@dmarc-ledger/imports');
      await runImport(options, () => withSource(url, ['mysql', 'postgres'], (source) => readDmarcSrg(source, options)));
    });
}

function withImportOptions(command: Command): Command {
  return command
    .addOption(orgOption())
    .option('--count', 'count rebuilt reports at once; otherwise they are held until intake release --imported')
    .option('--dry-run', 'read everything, show what would be taken in, and write nothing')
    .addOption(jsonOption());
}

function withDatabaseOptions(command: Command): Command {
  return withImportOptions(command)
    .option('--database <url>', 'the URL of the database, without a password')
    .option('--database-env <variable>', 'the environment variable with the URL of the database')
    .option('--password-env <variable>', 'the environment variable with the password');
}

function timezoneOption(of: string): Option {
  return new Option('--timezone <zone>', `the time zone ${of}, such as Europe/Berlin`).default('UTC');
}

import { migrate, migrationStatus } from '@dmarc-ledger/schema';
import { readEnv } from '@dmarc-ledger/runtime';
import { installationEnv, openDatabaseServer, withDatabase } from '@dmarc-ledger/standalone-service/installation';
import { Command } from 'commander';
import { examples, jsonOption } from '../options.ts';
import { print, printJson } from '../print.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('migrate the schema of the database to this version')
    .option('--status', 'only show which migrations are applied and which are pending')
    .addOption(jsonOption())
    .addHelpText('after', examples('migrate', 'migrate --status'))
    .action(async (options: { status?: boolean; json?: boolean }) => {
      const server = await openDatabaseServer(readEnv(installationEnv, process.env));
      try {
        const act = options.status ? migrationStatus : migrate;
        const { applied, pending } = await withDatabase(() => act(server.url));
        if (options.json) printJson({ applied, pending });
        else
          print(
            [
              ...applied.map((name) => ({ name, state: 'applied' })),
              ...pending.map((name) => ({ name, state: 'pending' })),
            ],
            options,
          );
      } finally {
        await server.close();
      }
    });
}

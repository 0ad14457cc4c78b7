import { migrate, splitByMonth } from '@dmarc-ledger/schema';
import { readEnv } from '@dmarc-ledger/runtime';
import { installationEnv, openDatabaseServer, withDatabase } from '@dmarc-ledger/standalone-service/installation';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { examples, jsonOption } from '../options.ts';
import { print } from '../print.ts';

export function partitionCommand(): Command {
  return new Command('partition')
    .description('partition the largest tables by month, once; the scheduler makes and drops the months from then on')
    .addOption(jsonOption())
    .addHelpText('after', examples('partition', 'partition --json'))
    .action(async (options: { json?: boolean }) => {
      const server = await openDatabaseServer(readEnv(installationEnv, process.env));
      try {
        const tables = await withDatabase(async () => {
          await migrate(server.url);
          return await splitByMonth(server.url, dayOf(Math.floor(Date.now() / 1_000)));
        });
        const rows = tables.map(({ table, wasSplit }) => ({
          table,
          state: wasSplit ? 'was partitioned' : 'partitioned',
        }));
        print(rows, options);
      } finally {
        await server.close();
      }
    });
}

import { resealSecrets } from '@dmarc-ledger/pipeline';
import { Command } from 'commander';
import { examples, jsonOption } from '../options.ts';
import { printJson, printTable } from '../print.ts';
import { withInstallation } from '../with-installation.ts';
import { secretsOf } from '../secrets-of.ts';

/** Some inputs were refused. */
const PARTLY_DONE = 3;

export function secretCommand(): Command {
  const secret = new Command('secret').description(
    'stored secrets: passwords and tokens of mailboxes, and signing secrets of webhooks',
  );
  secret
    .command('reseal')
    .description('encrypt all secrets with the first key of SECRET_KEY; then the other keys can be dropped')
    .addOption(jsonOption())
    .addHelpText('after', examples('secret reseal'))
    .action((options: { json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        const { failed, ...sums } = await resealSecrets(installation.database, secretsOf(installation));
        if (failed.length > 0) process.exitCode = PARTLY_DONE;
        if (options.json) return printJson({ ...sums, failed });
        printTable([{ ...sums, failed: failed.length }]);
        if (failed.length > 0) printTable(failed);
      }),
    );
  return secret;
}

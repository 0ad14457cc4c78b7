import { findMemberships } from '@dmarc-ledger/ledger';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption } from '../options.ts';
import { printJson } from '../print.ts';
import { printedLink } from '../printed-link.ts';
import { withInstallation } from '../with-installation.ts';

export function signInCommand(): Command {
  return new Command('sign-in')
    .argument('<email>', 'the address of a member of an organization')
    .description('print a link that signs a person in to the pages, once')
    .addOption(jsonOption())
    .addHelpText('after', examples('sign-in anna@example.com'))
    .action((email: string, options: { json?: boolean }) =>
      withInstallation(async ({ installation }) => {
        const { db } = installation.database;
        if ((await findMemberships(db, email)).length === 0) {
          const advice = `dmarc-ledger user invite ${email} --org NAME --role viewer`;
          throw new CliError('not_found', `${email} belongs to no organization; to add them: ${advice}`);
        }
        printLink(await printedLink(db, email, 'sign_in'), options);
      }),
    );
}

/** Prints the link alone for people, so that it can be copied whole. */
export function printLink(
  { url, expires_at }: Awaited<ReturnType<typeof printedLink>>,
  options: { json?: boolean },
  more: { mailed?: boolean } = {},
): void {
  if (options.json) printJson({ url, expires_at, ...more });
  else process.stdout.write(`${url}\n`);
}

import { createKey, listKeys, revokeKey } from '@dmarc-ledger/db';
import { idText, instantText, keyScopes, parseId, type KeyScope } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson } from '../print.ts';
import { orgIdOf, withInstallation } from '../with-installation.ts';

interface CreateOptions {
  org: string;
  owner?: string;
  scope: KeyScope;
  name?: string;
  expires?: string;
  json?: boolean;
}

export function keyCommand(): Command {
  const key = new Command('key').description('API keys');
  key
    .command('create')
    .description('make a key; it is shown this once')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--owner <email>', 'whose role narrows the scope')
    .addOption(new Option('--scope <scope>').choices(keyScopes).default('read'))
    .option('--name <name>')
    .option('--expires <iso>', 'when it ends, as an RFC 3339 instant')
    .option('--json')
    .action((options: CreateOptions) =>
      withInstallation(async (work) => {
        const { scope, owner: ownerEmail, name } = options;
        const orgId = await orgIdOf(work, options.org);
        const made = await createKey(work.installation.database.db, orgId, {
          scope,
          ownerEmail,
          name,
          expiresAt: readInstant(options.expires),
        });
        const told = { ...made, id: idText(made.id), expiresAt: made.expiresAt?.toISOString() ?? null };
        if (options.json) printJson(told);
        else process.stdout.write(`${told.key}\n`);
      }),
    );
  key
    .command('list')
    .description('the keys of an organization, without their secrets')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--json')
    .action((options: { org: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const keys = await listKeys(work.installation.database.db, await orgIdOf(work, options.org));
        print(
          keys.map(({ id, prefix, last_four, scope, name, owner, expires_at, revoked_at, last_used_at }) => ({
            id: idText(id),
            prefix,
            ends_in: last_four,
            scope,
            name,
            owner,
            expires: expires_at?.toISOString() ?? null,
            revoked: revoked_at !== null,
            last_used: last_used_at && instantText(last_used_at),
          })),
          options,
        );
      }),
    );
  key
    .command('revoke')
    .argument('<id>')
    .description('end a key; it opens nothing within ten seconds')
    .action((id: string) =>
      withInstallation(async ({ installation }) => {
        const uuid = parseId(id);
        if (!uuid) throw new CliError('usage', `${id} is not the id of a key; see: dmarc-ledger key list --org ORG`);
        await revokeKey(installation.database.db, uuid);
      }),
    );
  return key;
}

function readInstant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime()))
    throw new CliError('usage', `--expires takes an instant such as 2027-01-31T00:00:00Z, not ${text}.`);
  return instant;
}

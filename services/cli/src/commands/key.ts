import { createKey, listKeys, revokeKey } from '@dmarc-ledger/ledger';
import { idText, instantText, keyScopes, type KeyScope } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { examples, jsonOption, orgFilter, orgOption, ownerOption, SAMPLE_ID } from '../options.ts';
import { keyOf, listAcross, organizationsOf, orgIdOf, printListed } from '../organizations.ts';
import { printJson, printOne, type Row } from '../print.ts';
import { noSuch, readIdOf } from '../row-id.ts';
import { withInstallation } from '../with-installation.ts';
import { readFutureInstant } from './instant.ts';
import { readShortText } from './short-text.ts';

const LONGEST_NAME = 100;

interface CreateOptions {
  org: string;
  owner?: string;
  scope: KeyScope;
  name?: string;
  expires?: Date;
  json?: boolean;
}

export function keyCommand(): Command {
  return new Command('key')
    .description('keys of the API and of uploads')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create a key and print it; it cannot be shown again')
    .addOption(orgOption())
    .option('--owner <email>', 'the person who owns it: their role limits what it may do')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(keyScopes).default('read'))
    .option('--name <name>', 'a name by which to recognize it', readShortText('The name', LONGEST_NAME))
    .option('--expires <iso>', 'the instant at which it expires, such as 2027-01-31T00:00:00Z', readFutureInstant)
    .addOption(jsonOption())
    .addHelpText('after', examples("key create --org 'My organization' --name 'my script'"))
    .action((options: CreateOptions) =>
      withInstallation(async (work) => {
        const { scope, owner: ownerEmail, name, expires: expiresAt } = options;
        const orgId = await orgIdOf(work, options.org);
        const made = await createKey(work.installation.database.db, orgId, { scope, ownerEmail, name, expiresAt });
        if (options.json)
          printJson({ ...made, id: idText(made.id), expiresAt: made.expiresAt && instantText(made.expiresAt) });
        else process.stdout.write(`${made.key}\n`);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('the keys, without their secrets')
    .addOption(orgFilter())
    .addOption(jsonOption())
    .addHelpText('after', examples('key list', "key list --org 'My organization'"))
    .action((options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const find = (orgId: string) => listKeys(work.installation.database.db, orgId);
        printListed(await listAcross(await organizationsOf(work, options.org), find), options, keyRow);
      }),
    );
}

function revokeCommand(): Command {
  return new Command('revoke')
    .argument('<id>', 'the id of a key, as key list shows it', readIdOf('key'))
    .description('revoke a key; it stops working within ten seconds')
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`key revoke ${SAMPLE_ID}`))
    .action((id: string, options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const key = await keyOf(work, 'api_key', id, options.org);
        if (!key) throw noSuch('key', id);
        await revokeKey(work.installation.database.db, key.orgId, key.id);
        printOne({ id: idText(key.id), revoked: true }, options);
      }),
    );
}

function keyRow(key: Awaited<ReturnType<typeof listKeys>>[number]): Row {
  const { id, prefix, last_four, scope, name, owner, expires_at, revoked_at, last_used_at } = key;
  return {
    id: idText(id),
    prefix,
    ends_in: last_four,
    scope,
    name,
    owner,
    expires: expires_at && instantText(expires_at),
    revoked: revoked_at !== null,
    last_used: last_used_at && instantText(last_used_at),
  };
}

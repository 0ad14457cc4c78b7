import { computeSnapshots } from '@dmarc-ledger/pipeline';
import { idText, isDay, storableDay } from '@dmarc-ledger/vocabulary';
import { Command, InvalidArgumentError } from 'commander';
import { examples, jsonOption, orgFilter } from '../options.ts';
import { keptOrganizationsOf } from '../organizations.ts';
import { print } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';

/** Before any report. */
const EVER = '0001-01-01';

interface RebuildOptions {
  org?: string;
  from?: string;
  json?: boolean;
}

export function snapshotCommand(): Command {
  const snapshot = new Command('snapshot').description('the score of each past day');
  snapshot
    .command('rebuild')
    .description('compute the scores of past days again from the stored data, including final days')
    .addOption(orgFilter())
    .option('--from <day>', 'the first day, as YYYY-MM-DD (default: the day of the first report)', readDay)
    .addOption(jsonOption())
    .addHelpText('after', examples("snapshot rebuild --org 'My organization' --from 2026-01-01"))
    .action((options: RebuildOptions) => withInstallation((work) => rebuild(work, options)));
  return snapshot;
}

async function rebuild(work: Work, { org, from = EVER, json }: RebuildOptions): Promise<void> {
  const { database } = work.installation;
  const rebuilt = [];
  for (const { id: orgId } of await keptOrganizationsOf(work, org)) {
    const { computed } = await computeSnapshots({ database }, { orgId, from });
    rebuilt.push({ org: idText(orgId), days: computed });
  }
  print(rebuilt, { json });
}

function readDay(text: string): string {
  if (isDay(text)) return storableDay(text);
  throw new InvalidArgumentError('It must be a calendar day, YYYY-MM-DD.');
}

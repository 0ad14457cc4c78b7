import { listOrganizations } from '@dmarc-ledger/db';
import { computeSnapshots } from '@dmarc-ledger/pipeline';
import { idText, isDay } from '@dmarc-ledger/vocabulary';
import { Command, InvalidArgumentError } from 'commander';
import { printJson, printTable } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';

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
    .description('compute the scores of past days anew from what is held, also of days that are final')
    .option('--org <id>', 'one organization; all when not told')
    .option('--from <day>', 'YYYY-MM-DD; from the first report on when not told', readDay)
    .option('--json')
    .action((options: RebuildOptions) => withInstallation((work) => rebuild(work, options)));
  return snapshot;
}

async function rebuild(work: Work, { org, from = EVER, json }: RebuildOptions): Promise<void> {
  const { database } = work.installation;
  const ids = org ? [await orgIdOf(work, org)] : (await listOrganizations(database.db)).map(({ id }) => id);
  const told = [];
  for (const orgId of ids) {
    const { computed } = await computeSnapshots({ database }, { orgId, from });
    told.push({ org: idText(orgId), days: computed });
  }
  if (json) printJson(told);
  else printTable(told);
}

function readDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It must be a calendar day, YYYY-MM-DD.');
}

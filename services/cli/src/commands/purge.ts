import { cutoffsOf, removeBlobs } from '@dmarc-ledger/ledger';
import { previewPurge, purgeLedger, type Purged } from '@dmarc-ledger/pipeline';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, InvalidArgumentError } from 'commander';
import { examples, jsonOption, orgFilter } from '../options.ts';
import { keptOrganizationsOf } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';

interface PurgeOptions {
  olderThan: number;
  org?: string;
  rawOnly?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function purgeCommand(): Command {
  return new Command('purge')
    .description('delete data by its age since receipt, whatever the retention settings are')
    .requiredOption('--older-than <days>', 'days since receipt', readDays)
    .addOption(orgFilter())
    .option('--raw-only', 'delete only the raw bytes of deliveries; figures and reports stay')
    .option('--dry-run', 'show what would be deleted, and delete nothing')
    .addOption(jsonOption())
    .addHelpText('after', examples('purge --older-than 365 --dry-run', 'purge --older-than 30 --raw-only'))
    .action((options: PurgeOptions) => withInstallation((work) => purge(work, options)));
}

async function purge(
  work: Work,
  { olderThan, org, rawOnly = false, dryRun = false, json }: PurgeOptions,
): Promise<void> {
  const { database, blobs } = work.installation;
  const organizations = await keptOrganizationsOf(work, org);
  const cutoffs = await cutoffsOf(database.db, {
    days: rawOnly ? null : olderThan,
    rawDays: olderThan,
    failureReportDays: rawOnly ? null : olderThan,
  });
  const purges = [];
  for (const { id, name } of organizations) {
    const purged = await (dryRun ? previewPurge : purgeLedger)(database, id, cutoffs);
    purges.push({ org: idText(id), name, ...purged });
  }
  if (!dryRun) await removeBlobs(database, (sha256) => blobs.delete(sha256));
  if (json) printJson({ dryRun, organizations: purges });
  else printTable(purges.map(rowOf));
}

function rowOf({ name, raw, ...purged }: Purged & { org: string; name: string }) {
  return { name, ...purged, rawDeliveries: raw.deliveries, rawBytes: raw.bytes };
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days, 1 or more.');
}

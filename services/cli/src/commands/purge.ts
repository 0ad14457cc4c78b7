import { cutoffsOf, listOrganizations, removeBlobs } from '@dmarc-ledger/db';
import { previewPurge, purgeLedger, type Purged } from '@dmarc-ledger/pipeline';
import { idText } from '@dmarc-ledger/vocabulary';
import { Command, InvalidArgumentError } from 'commander';
import { printJson, printTable } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';

interface PurgeOptions {
  olderThan: number;
  org?: string;
  rawOnly?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function purgeCommand(): Command {
  return new Command('purge')
    .description('delete what was received more than so many days ago, whatever the settings of retention say')
    .requiredOption('--older-than <days>', 'counted from receipt', readDays)
    .option('--org <id>', 'one organization; all when not told')
    .option('--raw-only', 'only the raw bytes of deliveries; figures and reports stay')
    .option('--dry-run', 'tell what would go, and delete nothing')
    .option('--json')
    .action((options: PurgeOptions) => withInstallation((work) => purge(work, options)));
}

async function purge(
  work: Work,
  { olderThan, org, rawOnly = false, dryRun = false, json }: PurgeOptions,
): Promise<void> {
  const { database, blobs } = work.installation;
  const orgs = org
    ? [{ id: await orgIdOf(work, org), name: org, removed_at: null }]
    : await listOrganizations(database.db);
  const cutoffs = await cutoffsOf(database.db, {
    days: rawOnly ? null : olderThan,
    rawDays: olderThan,
    failureReportDays: rawOnly ? null : olderThan,
  });
  const told = [];
  for (const { id, name, removed_at } of orgs) {
    if (removed_at) continue; // it goes altogether
    const purged = await (dryRun ? previewPurge : purgeLedger)(database, id, cutoffs);
    told.push({ org: idText(id), name, ...purged });
  }
  if (!dryRun) await removeBlobs(database, (sha256) => blobs.delete(sha256));
  if (json) printJson({ dryRun, organizations: told });
  else printTable(told.map(rowOf));
}

function rowOf({ name, raw, ...purged }: Purged & { org: string; name: string }) {
  return { name, ...purged, rawDeliveries: raw.deliveries, rawBytes: raw.bytes };
}

function readDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of days, 1 or more.');
}

import { heldCodes, type HeldScope, releaseReports } from '@dmarc-ledger/ledger';
import { readDomainName } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { examples, jsonOption, orgFilter, SAMPLE_ID } from '../options.ts';
import { organizationsOf } from '../organizations.ts';
import { readIdOf } from '../row-id.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { replayScope, show } from './replay.ts';

interface ReleaseOptions {
  org?: string;
  id?: string;
  domain?: string;
  all?: boolean;
  imported?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function releaseCommand(): Command {
  return new Command('release')
    .description('count reports that are held: their mail did not pass as the reporter, or they were imported unproven')
    .addOption(orgFilter())
    .option('--id <id>', 'those of one delivery; see: intake list --code report_held', readIdOf('delivery'))
    .option('--domain <domain>', 'those of deliveries with a report about this domain')
    .option('--all', 'every report of mail that is held')
    .option('--imported', 'reports that are held since an import; with --domain, those about this domain')
    .option('--dry-run', 'show what would change, and write nothing')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        `intake release --id ${SAMPLE_ID}`,
        'intake release --domain example.com --dry-run',
        'intake release --imported',
      ),
    )
    .action((options: ReleaseOptions) => withInstallation((work) => release(work, options)));
}

async function release(work: Work, options: ReleaseOptions): Promise<void> {
  const held = scopeOf(options);
  const organizations = await organizationsOf(work, options.org);
  const orgIds = organizations.filter(({ removed_at }) => removed_at === null).map((each) => each.id);
  if (!options.dryRun) {
    for (const orgId of orgIds) await releaseReports(work.installation.database.db, orgId, held);
  }
  const scope = { id: held.id, about: held.about, code: heldCodes(held) };
  show(await replayScope(work, orgIds, scope, { ...options, isReleased: true }), options);
}

function scopeOf({ id, domain, all, imported: isImported = false }: ReleaseOptions): HeldScope {
  const given = [id !== undefined, domain !== undefined, all === true].filter(Boolean).length;
  if (given > 1 || (given === 0 && !isImported) || (isImported && domain === undefined && given > 0))
    throw new CliError('usage', 'Say which reports: --id, --domain, --all or --imported.');
  const about = domain === undefined ? undefined : readDomainName(domain);
  if (domain !== undefined && about === undefined) throw new CliError('usage', `${domain} is not a domain name.`);
  return { id, about, isImported };
}

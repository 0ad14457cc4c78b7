import type { Rejudgement } from '@dmarc-ledger/pipeline';
import { Command } from 'commander';
import { untilInterrupted } from '../interruption.ts';
import { examples, jsonOption, orgFilter } from '../options.ts';
import { keptOrganizationsOf } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { withInstallation, type Work } from '../with-installation.ts';

interface RejudgeOptions {
  org?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function rejudgeCommand(): Command {
  return new Command('rejudge')
    .description('classify stored failing mail again with this version, and show what that changes')
    .addOption(orgFilter())
    .option('--dry-run', 'show what would change, and write nothing')
    .addOption(jsonOption())
    .addHelpText('after', examples('intake rejudge --dry-run', "intake rejudge --org 'My organization'"))
    .action((options: RejudgeOptions) => withInstallation((work) => rejudge(work, options)));
}

async function rejudge(work: Work, options: RejudgeOptions): Promise<void> {
  const { installation, log, use } = work;
  const organizations = await keptOrganizationsOf(work, options.org);
  // loaded here, as the other commands of intake do not need it
  const { addChange, rejudgeReports } = await import('@dmarc-ledger/pipeline');
  const { startHelpers } = await import('@dmarc-ledger/standalone-service/ingest');
  const isDryRun = options.dryRun ?? false;
  if (!isDryRun) await startHelpers(installation, use, log);
  const { interrupted } = untilInterrupted('Stopped. Run it again to continue: classes that were changed stay.');
  const sum: Rejudgement = { checked: 0, reports: 0, changes: [] };
  for (const { id } of organizations) {
    const one = await Promise.race([rejudgeReports(installation, id, { isDryRun }), interrupted]);
    sum.checked += one.checked;
    sum.reports += one.reports;
    for (const change of one.changes) addChange(sum.changes, change);
  }
  if (options.json) return printJson({ dry_run: isDryRun, ...sum });
  printTable(sum.changes.map((change) => ({ ...change })));
  const verb = isDryRun ? 'would change' : 'have changed';
  process.stdout.write(`${sum.checked} failing records, ${sum.reports} reports ${verb}\n`);
}

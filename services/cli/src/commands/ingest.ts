import { setTimeout as sleep } from 'node:timers/promises';
import { recentBlobs } from '@dmarc-ledger/blobs';
import { ingestPaths, startHelpers, type IngestSummary } from '@dmarc-ledger/standalone-service/ingest';
import { Command } from 'commander';
import { untilInterrupted } from '../interruption.ts';
import { openProgress } from '../progress.ts';
import { examples, jsonOption, orgOption } from '../options.ts';
import { orgIdOf } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { refusalLines } from '../refusal-lines.ts';
import { withInstallation, type Work } from '../with-installation.ts';

const PARTLY_DONE = 3;
const FOLLOW_EVERY_MS = 2_000;

interface IngestOptions {
  org: string;
  follow?: boolean;
  json?: boolean;
}

export function ingestCommand(): Command {
  return new Command('ingest')
    .argument('<path...>', 'files, folders, mailbox files, Maildirs and tar archives; - for standard input')
    .description('take in reports, and wait until all of them are stored and judged')
    .addOption(orgOption())
    .option('--follow', 'keep running, and take in files that appear later; --json prints a document for each round')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples("ingest reports/ --org 'My organization'", "ingest - --org 'My organization' < report.xml"),
    )
    .action((paths: string[], options: IngestOptions) => withInstallation((work) => ingest(work, paths, options)));
}

async function ingest(work: Work, paths: string[], options: IngestOptions): Promise<void> {
  const { log, use } = work;
  const orgId = await orgIdOf(work, options.org);
  const installation = { ...work.installation, blobs: recentBlobs(work.installation.blobs) };
  await startHelpers(installation, use, log);
  const { signal, interrupted } = untilInterrupted(
    'Stopped. Run it again to continue: nothing is lost, and nothing is counted twice.',
  );
  do {
    const progress = openProgress('taken in');
    const taking = ingestPaths({ ...installation, onProgress: progress.update }, orgId, paths);
    const summary = await Promise.race([taking, interrupted]).finally(progress.stop);
    show(summary, options);
    if (options.follow) await sleep(FOLLOW_EVERY_MS, undefined, { signal }).catch(() => undefined);
  } while (options.follow && !signal.aborted);
}

function show(summary: IngestSummary, { json }: IngestOptions): void {
  if (summary.refused > 0 || summary.refusals.length > 0) process.exitCode = PARTLY_DONE;
  if (json) return printJson(summary);
  const { refusals, ...figures } = summary;
  printTable([figures]);
  for (const line of refusalLines(refusals)) process.stdout.write(`${line}\n`);
}

import { countEnded, type ReplayScope } from '@dmarc-ledger/ledger';
import type { MessageState } from '@dmarc-ledger/schema';
import type { Figures, ReplaySummary } from '@dmarc-ledger/pipeline';
import { idText, printableText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { untilInterrupted } from '../interruption.ts';
import { openProgress } from '../progress.ts';
import { examples, jsonOption, orgFilter } from '../options.ts';
import { keptOrganizationsOf, keyOf } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { readIdOf } from '../row-id.ts';
import { withInstallation, type Work } from '../with-installation.ts';
import { sumReplays } from './replay-sum.ts';
import { readInstant } from './instant.ts';

const PARTLY_DONE = 3;
const MISSING_SHOWN = 20;
const ENDED = ['stored', 'duplicate', 'assigned', 'refused', 'quarantined'] as const satisfies MessageState[];

interface ReplayOptions {
  org?: string;
  id?: string;
  code?: string;
  state?: (typeof ENDED)[number];
  since?: Date;
  until?: Date;
  all?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export function replayCommand(): Command {
  return new Command('replay')
    .description('read stored deliveries again with this version, and show what that changes')
    .addOption(orgFilter())
    .option('--id <id>', 'one delivery', readIdOf('delivery'))
    .option('--code <code>', 'deliveries with this code, such as unknown_domain')
    .addOption(new Option('--state <state>', 'deliveries in this state').choices(ENDED))
    .addOption(new Option('--since <iso>', 'deliveries received at this instant or later').argParser(readInstant))
    .addOption(new Option('--until <iso>', 'deliveries received before this instant').argParser(readInstant))
    .option('--all', 'every delivery')
    .option('--dry-run', 'show what would change, and write nothing')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples("intake replay --org 'My organization' --all --dry-run", 'intake replay --code unknown_domain'),
    )
    .action((options: ReplayOptions) => withInstallation((work) => replay(work, options)));
}

async function replay(work: Work, options: ReplayOptions): Promise<void> {
  const scope = scopeOf(options);
  show(await replayScope(work, await orgIdsOf(work, options, scope), scope, options), options);
}

/** Reads the deliveries of a scope again, those of one organization after the other. */
export async function replayScope(
  work: Work,
  orgIds: readonly string[],
  scope: ReplayScope,
  { dryRun, isReleased }: { dryRun?: boolean; isReleased?: boolean },
): Promise<ReplaySummary> {
  const { installation, log, use } = work;
  // loaded here, as the other commands of intake do not need it
  const { previewReplay, replayDeliveries } = await import('@dmarc-ledger/pipeline');
  const { startHelpers } = await import('@dmarc-ledger/standalone-service/ingest');
  if (!dryRun) await startHelpers(installation, use, log);
  const progress = openProgress('read');
  const run = dryRun ? previewReplay : replayDeliveries;
  const { interrupted } = untilInterrupted(
    'Stopped. Run it again to continue: queued deliveries will still be read, the others are unchanged.',
  );
  const replays: ReplaySummary[] = [];
  try {
    for (const orgId of orgIds) {
      const running = run({ ...installation, onProgress: progress.update, isReleased }, orgId, scope);
      replays.push(await Promise.race([running, interrupted]));
    }
  } finally {
    progress.stop();
  }
  return sumReplays(replays);
}

/**
 * The organizations whose deliveries are read: the owner of `--id`, the one of `--org`, else all that are not being
 * removed.
 */
async function orgIdsOf(work: Work, { id, org }: ReplayOptions, scope: ReplayScope): Promise<string[]> {
  if (id === undefined) return (await keptOrganizationsOf(work, org)).map((each) => each.id);
  const key = await keyOf(work, 'raw_message', id, org);
  if (key && (await countEnded(work.installation.database.db, key.orgId, scope)) > 0) return [key.orgId];
  const message = `There is no delivery ${idText(id)} that can be read again; see: dmarc-ledger intake list`;
  throw new CliError('not_found', message);
}

function scopeOf({ id, code, state, since, until, all }: ReplayOptions): ReplayScope {
  const isNarrowed = id !== undefined || code !== undefined || since !== undefined || state !== undefined;
  if (isNarrowed === (all === true))
    throw new CliError('usage', 'Say which deliveries: --id, --code, --state or --since, or else --all.');
  return { id, code, state, since, until };
}

/** Prints what a replay has changed, or would change. */
export function show(summary: ReplaySummary, { json, dryRun = false }: { json?: boolean; dryRun?: boolean }): void {
  const { deliveries, reports, before, after } = summary;
  if (deliveries.missing.length + deliveries.held > 0) process.exitCode = PARTLY_DONE;
  if (json) return printJson({ dry_run: dryRun, ...summary });
  printTable(deliveries.endings.map(({ from, to, deliveries: count }) => ({ deliveries: count, from, to })));
  process.stdout.write('\n');
  printTable([{ reports: dryRun ? 'would be' : 'are', ...reports }]);
  process.stdout.write('\n');
  printTable([figuresRow('before', before), figuresRow('after', after)]);
  for (const { id, code, message } of deliveries.missing.slice(0, MISSING_SHOWN))
    process.stdout.write(`not read  ${id}: ${code}: ${printableText(message)}\n`);
  if (deliveries.missing.length > MISSING_SHOWN)
    process.stdout.write(`… and ${deliveries.missing.length - MISSING_SHOWN} more; --json lists all\n`);
  if (deliveries.held > 0)
    process.stdout.write(
      `held      ${deliveries.held} until the next day (UTC): the records of this day are used up\n`,
    );
}

function figuresRow(when: string, { rows, messages, classes }: Figures) {
  return { when, records: rows, messages, ...classes };
}

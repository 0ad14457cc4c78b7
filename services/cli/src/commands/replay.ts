import { countEnded, type MessageState, type ReplayScope } from '@dmarc-ledger/db';
import type { Figures, ReplaySummary } from '@dmarc-ledger/pipeline';
import { parseId, printableText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { untilInterrupted } from '../interruption.ts';
import { openProgress } from '../progress.ts';
import { printJson, printTable } from '../print.ts';
import { orgIdOf, withInstallation, type Work } from '../with-installation.ts';

const PARTLY_DONE = 3;
const MISSING_SHOWN = 20;
const ENDED = ['stored', 'duplicate', 'assigned', 'refused', 'quarantined'] as const satisfies MessageState[];

interface ReplayOptions {
  org: string;
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
    .description('read deliveries again by the code of today, and tell what that changes')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--id <id>', 'one delivery')
    .option('--code <code>', 'those with this code, such as unknown_domain')
    .addOption(new Option('--state <state>', 'those that ended so').choices(ENDED))
    .addOption(new Option('--since <iso>', 'those received at this instant or later').argParser(readInstant))
    .addOption(new Option('--until <iso>', 'those received before this instant').argParser(readInstant))
    .option('--all', 'every delivery')
    .option('--dry-run', 'write nothing, and tell what would change')
    .option('--json')
    .action((options: ReplayOptions) => withInstallation((work) => replay(work, options)));
}

async function replay(work: Work, options: ReplayOptions): Promise<void> {
  const scope = scopeOf(options);
  const { installation, log, use } = work;
  const orgId = await orgIdOf(work, options.org);
  if (scope.id !== undefined && (await countEnded(installation.database.db, orgId, scope)) === 0) {
    const message = `There is no delivery ${options.id} that could be read again; see: dmarc-ledger intake list --org ORG`;
    throw new CliError('not_found', message);
  }
  // loaded here, for the commands beside this one need none of it
  const { previewReplay, replayDeliveries } = await import('@dmarc-ledger/pipeline');
  const { startHelpers } = await import('@dmarc-ledger/standalone-service/ingest');
  if (!options.dryRun) await startHelpers(installation, use, log);
  const progress = openProgress('read');
  const run = options.dryRun ? previewReplay : replayDeliveries;
  const { interrupted } = untilInterrupted(
    'Stopped. Run it again: what was put in line is done, the rest is not begun.',
  );
  const running = run({ ...installation, onProgress: progress.update }, orgId, scope);
  const summary = await Promise.race([running, interrupted]).finally(progress.stop);
  show(summary, options);
}

function scopeOf({ id, code, state, since, until, all }: ReplayOptions): ReplayScope {
  const isNarrowed = id !== undefined || code !== undefined || since !== undefined || state !== undefined;
  if (isNarrowed === (all === true))
    throw new CliError('usage', 'Say which deliveries: --id, --code, --state or --since, or else --all.');
  const uuid = id === undefined ? undefined : parseId(id);
  if (id !== undefined && !uuid) throw new CliError('usage', `${id} is no id of a delivery.`);
  return { id: uuid, code, state, since, until };
}

function readInstant(text: string): Date {
  const instant = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : undefined;
  if (!instant || Number.isNaN(instant.getTime()))
    throw new CliError('usage', `${text} is no instant; write 2026-01-31 or 2026-01-31T12:00:00Z.`);
  return instant;
}

function show(summary: ReplaySummary, { json, dryRun = false }: ReplayOptions): void {
  const { deliveries, reports, before, after } = summary;
  if (deliveries.missing.length > 0) process.exitCode = PARTLY_DONE;
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
}

function figuresRow(when: string, { rows, messages, classes }: Figures) {
  return { when, records: rows, messages, ...classes };
}

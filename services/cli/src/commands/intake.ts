import { findMailStory, findMessage, listMessages, type MessageStory } from '@dmarc-ledger/db';
import { idText, instantText, parseId } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson } from '../print.ts';
import { orgIdOf, withInstallation } from '../with-installation.ts';
import { replayCommand } from './replay.ts';

const STATES = ['received', 'processing', 'stored', 'duplicate', 'assigned', 'refused', 'quarantined'] as const;

export function intakeCommand(): Command {
  const intake = new Command('intake').description('the story of every delivery');
  intake
    .command('list')
    .description('deliveries, newest first')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .addOption(new Option('--state <state>').choices(STATES))
    .option('--code <code>')
    .addOption(new Option('--limit <n>').default(50).argParser(readLimit))
    .option('--json')
    .action((options: { org: string; state?: (typeof STATES)[number]; code?: string; limit: number; json?: boolean }) =>
      withInstallation(async (work) => {
        const stories = await listMessages(work.installation.database.db, await orgIdOf(work, options.org), options);
        if (options.json) printJson(stories.map(told));
        else
          print(
            stories.map((story) => ({ ...summed(story) })),
            options,
          );
      }),
    );
  intake
    .command('show')
    .argument('<id>')
    .description('one delivery: its documents, outcome, warnings, reports')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .action((id: string, options: { org: string }) =>
      withInstallation(async (work) => {
        const uuid = parseId(id);
        const { db } = work.installation.database;
        const orgId = await orgIdOf(work, options.org);
        const story = uuid && (await findMessage(db, orgId, uuid));
        if (!story)
          throw new CliError('not_found', `There is no delivery ${id}; see: dmarc-ledger intake list --org ORG`);
        printJson({
          ...told(story),
          mail: story.source === 'mailbox' ? await findMailStory(db, orgId, uuid) : undefined,
        });
      }),
    );
  return intake.addCommand(replayCommand());
}

function summed({ id, state, code, name, size, receivedAt, parts }: MessageStory) {
  const reports = parts.reduce((sum, part) => sum + part.reports.length, 0);
  return { id: idText(id), received: instantText(receivedAt), state, code, size, reports, name };
}

function told({ parts, receivedAt, finishedAt, bytesPurgedAt, ...story }: MessageStory) {
  return {
    ...story,
    id: idText(story.id),
    receivedAt: instantText(receivedAt),
    finishedAt: finishedAt && instantText(finishedAt),
    bytes: bytesPurgedAt ? 'bytes_purged' : 'kept',
    bytesPurgedAt: bytesPurgedAt && instantText(bytesPurgedAt),
    parts: parts.map((part) => ({
      ...part,
      reports: part.reports.map((report) => ({ ...report, id: idText(report.id) })),
    })),
  };
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new CliError('usage', '--limit takes a whole number from 1 to 99999.');
  return Number(text);
}

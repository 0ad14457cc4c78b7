import { acknowledgeEvent, findEvents, type EventRow } from '@dmarc-ledger/db';
import { idText, instantText, parseId } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { CliError } from '../errors.ts';
import { print, printJson } from '../print.ts';
import { orgIdOf, withInstallation } from '../with-installation.ts';

const SHOWN = 200;

export function eventCommand(): Command {
  const event = new Command('event').description('conditions that need attention');
  event
    .command('list')
    .description('events, newest first')
    .requiredOption('--org <id>', 'the organization, by id or name')
    .option('--open', 'those that nobody has acknowledged')
    .option('--json')
    .action((options: { org: string; open?: boolean; json?: boolean }) =>
      withInstallation(async (work) => {
        const filter = options.open ? { acknowledged: false } : {};
        const page = { limit: SHOWN, offset: 0 };
        const { rows } = await findEvents(
          work.installation.database.db,
          await orgIdOf(work, options.org),
          filter,
          page,
        );
        if (options.json) printJson(rows.map(story));
        else
          print(
            rows.map((row) => ({ ...story(row), link: undefined })),
            options,
          );
      }),
    );
  event
    .command('ack')
    .argument('<id>')
    .description('say that an event has been seen')
    .option('--by <email>', 'who has seen it', 'cli')
    .action((id: string, options: { by: string }) =>
      withInstallation(async ({ installation }) => {
        const uuid = parseId(id);
        if (!uuid || !(await acknowledgeEvent(installation.database.db, uuid, options.by)))
          throw new CliError('not_found', `There is no event ${id}; see: dmarc-ledger event list --org ORG`);
      }),
    );
  return event;
}

function story({
  id,
  type,
  severity,
  domain,
  title,
  message,
  link,
  created_at,
  resolved_at,
  acknowledged_at,
}: EventRow) {
  return {
    id: idText(id),
    created: instantText(created_at),
    severity,
    type,
    domain: domain || null,
    title,
    message,
    link,
    resolved: resolved_at && instantText(resolved_at),
    acknowledged: acknowledged_at && instantText(acknowledged_at),
  };
}

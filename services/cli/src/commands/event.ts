import { acknowledgeEvent } from '@dmarc-ledger/ledger';
import { type EventRow, findEvents } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import { Command } from 'commander';
import { examples, jsonOption, orgFilter, ownerOption, SAMPLE_ID } from '../options.ts';
import { keyOf, listAcross, organizationsOf, printListed } from '../organizations.ts';
import { printOne } from '../print.ts';
import { noSuch, readIdOf } from '../row-id.ts';
import { withInstallation } from '../with-installation.ts';
import { readShortText } from './short-text.ts';

const SHOWN = 200;
const LONGEST_BY = 200;

export function eventCommand(): Command {
  return new Command('event')
    .description('conditions that need attention')
    .addCommand(listCommand())
    .addCommand(ackCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description(`the newest ${SHOWN} events, newest first`)
    .addOption(orgFilter())
    .option('--open', 'only events that are not acknowledged')
    .addOption(jsonOption())
    .addHelpText('after', examples('event list --open', "event list --org 'My organization'"))
    .action((options: { org?: string; open?: boolean; json?: boolean }) =>
      withInstallation(async (work) => {
        const { db } = work.installation.database;
        const filter = options.open ? { acknowledged: false } : {};
        const page = { limit: SHOWN, offset: 0 };
        const find = async (orgId: string) => (await findEvents(db, orgId, filter, page)).rows;
        const order = { compare: byNewest, limit: SHOWN };
        const listed = await listAcross(await organizationsOf(work, options.org), find, order);
        printListed(listed, options, row, toJson);
      }),
    );
}

function ackCommand(): Command {
  return new Command('ack')
    .argument('<id>', 'the id of an event, as event list shows it', readIdOf('event'))
    .description('acknowledge an event: it has been seen')
    .option('--by <email>', 'the person who has seen it', readShortText('The person', LONGEST_BY), 'cli')
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`event ack ${SAMPLE_ID} --by ops@example.com`))
    .action((id: string, options: { by: string; org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const key = await keyOf(work, 'event', id, options.org);
        if (!key || !(await acknowledgeEvent(work.installation.database.db, key.orgId, key.id, options.by)))
          throw noSuch('event', id);
        printOne({ id: idText(id), acknowledged: true }, options);
      }),
    );
}

function byNewest(a: EventRow, b: EventRow): number {
  return b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
}

function row(event: EventRow) {
  const { link: _, ...rest } = toJson(event);
  return rest;
}

function toJson(event: EventRow) {
  const { id, type, severity, domain, title, message, link, created_at, resolved_at, acknowledged_at } = event;
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

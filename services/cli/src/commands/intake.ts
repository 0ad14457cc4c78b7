import {
  findMailDetails,
  findMessage,
  listMessages,
  type MailDetails,
  type MessageDetails,
} from '@dmarc-ledger/ledger';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import { Command, Option } from 'commander';
import { examples, jsonOption, orgFilter, ownerOption, readLimit, SAMPLE_ID } from '../options.ts';
import { keyOf, listAcross, organizationsOf, printListed } from '../organizations.ts';
import { printJson, printTable } from '../print.ts';
import { noSuch, readIdOf } from '../row-id.ts';
import { withInstallation } from '../with-installation.ts';
import { deliveryRow, deliveryJson, mailJson, partRows } from './intake-output.ts';
import { rejudgeCommand } from './rejudge.ts';
import { releaseCommand } from './release.ts';
import { replayCommand } from './replay.ts';
import { unauthenticatedCommand } from './unauthenticated.ts';

const STATES = ['received', 'processing', 'stored', 'duplicate', 'assigned', 'refused', 'quarantined'] as const;

interface ListOptions {
  org?: string;
  state?: (typeof STATES)[number];
  code?: string;
  limit: number;
  json?: boolean;
}

export function intakeCommand(): Command {
  return new Command('intake')
    .description('deliveries and their outcome')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(replayCommand())
    .addCommand(rejudgeCommand())
    .addCommand(unauthenticatedCommand())
    .addCommand(releaseCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('deliveries, newest first')
    .addOption(orgFilter())
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(STATES))
    .option('--code <code>', 'only deliveries with this code, such as unknown_domain')
    .addOption(new Option('--limit <n>', 'show at most this many').default(50).argParser(readLimit))
    .addOption(jsonOption())
    .addHelpText('after', examples('intake list --state refused', "intake list --org 'My organization' --limit 10"))
    .action((options: ListOptions) =>
      withInstallation(async (work) => {
        const find = (orgId: string) => listMessages(work.installation.database.db, orgId, options);
        const compare = (a: MessageDetails, b: MessageDetails) => (a.id < b.id ? 1 : -1);
        const order = { compare, limit: options.limit };
        const listed = await listAcross(await organizationsOf(work, options.org), find, order);
        printListed(listed, options, deliveryRow, deliveryJson);
      }),
    );
}

function showCommand(): Command {
  return new Command('show')
    .argument('<id>', 'the id of a delivery, as intake list shows it', readIdOf('delivery'))
    .description('one delivery: its documents, outcome, warnings and reports')
    .addOption(ownerOption())
    .addOption(jsonOption())
    .addHelpText('after', examples(`intake show ${SAMPLE_ID}`))
    .action((id: string, options: { org?: string; json?: boolean }) =>
      withInstallation(async (work) => {
        const { db } = work.installation.database;
        const key = await keyOf(work, 'raw_message', id, options.org);
        const details = key && (await findMessage(db, key.orgId, key.id));
        if (!details) throw noSuch('delivery', id);
        const mail = details.source === 'mailbox' ? await findMailDetails(db, key.orgId, key.id) : undefined;
        if (options.json) printJson({ org: idText(key.orgId), ...deliveryJson(details), mail: mail && mailJson(mail) });
        else show(key.orgId, details, mail);
      }),
    );
}

/** Prints the delivery, its documents, and where its mail is. */
function show(orgId: string, details: MessageDetails, mail: MailDetails | undefined): void {
  const { finishedAt, bytesPurgedAt, source, attemptsStarted } = details;
  const facts = {
    ...deliveryRow(details),
    org: idText(orgId),
    source,
    finished: finishedAt && instantText(finishedAt),
    attempts: attemptsStarted,
    bytes: bytesPurgedAt ? `deleted ${instantText(bytesPurgedAt)}` : 'kept',
  };
  printTable(Object.entries(facts).map(([fact, value]) => ({ fact, value })));
  for (const rows of [partRows(details), mail?.places.map(placeRow) ?? []]) {
    if (rows.length === 0) continue;
    process.stdout.write('\n');
    printTable(rows);
  }
}

function placeRow({ mailbox, folder, uid, arrivedAt, action }: MailDetails['places'][number]) {
  return { mailbox, folder, uid, arrived: arrivedAt && instantText(arrivedAt), action };
}

import {
  type AilingMailbox,
  type Endurance,
  findAilingMailboxes,
  keepConditions,
  type OrgCondition,
} from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { holding } from '@dmarc-ledger/scoring';
import { idText, instantText, repeatEvery, type AlertCode } from '@dmarc-ledger/vocabulary';

const EVERY_MS = 30_000;
const ENDURANCE: Endurance = { failingMinutes: 15, silentHours: 26 };

export interface WatchNeeds {
  database: Database;
  endurance?: Endurance;
  everyMs?: number;
  onFault: (message: string, error: unknown) => void;
}

/** Raises an event for every mailbox that needs attention, and resolves it afterwards. Any number may run. */
export async function watchMailboxes(
  { database, endurance = ENDURANCE, everyMs = EVERY_MS, onFault }: WatchNeeds,
  signal: AbortSignal,
): Promise<void> {
  const find = async () => (await findAilingMailboxes(database.db, endurance)).map(conditionOf);
  const onError = (error: unknown) => onFault('The watch over mailboxes failed.', error);
  await repeatEvery({ everyMs, onError }, signal, () => keepConditions(database, 'mailboxes', find));
}

/** The condition of a mailbox, as a sentence. Its type is that of its effect on the organization's reports. */
function conditionOf(mailbox: AilingMailbox): OrgCondition {
  const { orgId, mailboxId, ailment, state } = mailbox;
  const type: AlertCode = ailment === 'silent' ? 'reports_stopped' : 'report_parse_failed';
  const condition = holding(type, {
    domain: '',
    parts: ['mailbox', idText(mailboxId), ailment],
    severity: state === 'stopped' ? 'critical' : 'warning',
    message: sentenceOf(mailbox),
    rearm: 'after_a_day',
  });
  return { orgId, condition: { ...condition, link: '/settings/ingest' } };
}

function sentenceOf({ ailment, name, fault, since, state }: AilingMailbox): string {
  const when = instantText(since);
  switch (ailment) {
    case 'failing':
      return state === 'stopped'
        ? `The mailbox ${name} is not read any more. ${fault ?? ''} It is not tried again until it is mended.`
        : `The mailbox ${name} cannot be read since ${when}. ${fault ?? ''}`;
    case 'unserved':
      return `Nobody has looked into the mailbox ${name} since ${when}. Is an ingester running?`;
    case 'held':
      return `Mail in the mailbox ${name} waits for room since ${when}.`;
    case 'silent':
      return `Nothing has arrived in the mailbox ${name} since ${when}.`;
  }
}

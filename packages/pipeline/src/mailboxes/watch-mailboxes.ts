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
import { mailboxTexts } from './mailbox-texts.ts';

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

/** The condition of a mailbox, in its own words. Its type is that of its effect on the organization's reports. */
function conditionOf(mailbox: AilingMailbox): OrgCondition {
  const { orgId, mailboxId, ailment, state, name, fault, since } = mailbox;
  const type: AlertCode = ailment === 'silent' ? 'reports_stopped' : 'report_parse_failed';
  const texts = mailboxTexts[ailment === 'failing' && state === 'stopped' ? 'stopped' : ailment];
  const facts = { name, fault: fault ?? '', since: instantText(since) };
  const condition = holding(type, {
    domain: '',
    parts: ['mailbox', idText(mailboxId), ailment],
    severity: state === 'stopped' ? 'critical' : 'warning',
    title: texts.title(facts),
    message: texts.message(facts),
    rearm: 'after_a_day',
  });
  return { orgId, condition: { ...condition, place: { page: 'mailbox', mailbox: idText(mailboxId) } } };
}

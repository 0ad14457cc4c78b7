import {
  findDirtyBacklog,
  findIntakeLag,
  findNotificationBacklog,
  findOutboxBacklog,
  listMailboxes,
  type MailboxWithProgress,
} from '@dmarc-ledger/ledger';
import type { Db } from '@dmarc-ledger/schema';
import { counted } from '@dmarc-ledger/vocabulary';
import { error, ok, warning, type Finding } from './finding.ts';

/** The most mailboxes that are named; those with faults first. */
const NAMED = 200;
const MINUTE = 60;
const [INTAKE_LATE, NOTIFICATION_LATE] = [15 * MINUTE, 30 * MINUTE];

/** How much waits, and for how long, whatever its cause. */
export async function checkBacklogs(db: Db): Promise<Finding[]> {
  const [lag, outbox, dirty, notifications] = await Promise.all([
    findIntakeLag(db),
    findOutboxBacklog(db),
    findDirtyBacklog(db),
    findNotificationBacklog(db),
  ]);
  const minutes = Math.round(lag / MINUTE);
  return [
    lag > INTAKE_LATE
      ? warning('intake lag', `The oldest delivery has waited for ${counted(minutes, 'minute')}.`, SEE_INTAKE)
      : ok('intake lag', lag === 0 ? 'No delivery waits.' : 'Deliveries are read as they arrive.'),
    ok('outbox', `${counted(outbox.count, 'announcement')} to be passed to the queue.`),
    ok('repairs', `${counted(dirty.count, 'sum')} to be computed again.`),
    notifications.oldestSeconds > NOTIFICATION_LATE
      ? warning(
          'notifications',
          `${counted(notifications.count, 'notification')} could not be delivered yet.`,
          SEE_TARGETS,
        )
      : ok('notifications', `${counted(notifications.count, 'notification')} to be delivered.`),
  ];
}

const SEE_INTAKE = 'Check that an ingester runs, and its log.';
const SEE_TARGETS = 'See: dmarc-ledger webhook list';

/** Each mailbox as the ingester last found it; it is not signed in to. */
export async function checkMailboxStates(db: Db): Promise<Finding[]> {
  const mailboxes = await listMailboxes(db);
  const sorted = mailboxes.map(stateOf).toSorted((a, b) => Number(a.state === 'ok') - Number(b.state === 'ok'));
  const unnamed = sorted.length - NAMED;
  const more = unnamed > 0 ? [ok('mailboxes', `${counted(unnamed, 'further mailbox', 'further mailboxes')}.`)] : [];
  return [...sorted.slice(0, NAMED), ...more];
}

function stateOf({ username, host, folder, paused_at, progress }: MailboxWithProgress): Finding {
  const check = `mailbox ${username} at ${host}, ${folder}`;
  if (paused_at) return ok(check, 'Paused.');
  const { state, fault, backlog, oldest_waiting_at: oldest, succeeded_at: read } = progress;
  const waits = oldest ? `${counted(backlog, 'mail')} waiting since ${oldest.toISOString()}` : 'nothing waits';
  const says = `${state}, ${waits}, last read ${read ? read.toISOString() : 'never'}.`;
  if (state === 'stopped') return error(check, `${says} ${fault ?? ''}`.trim(), 'See docs/mailboxes.md');
  if (state === 'retrying' || state === 'throttled')
    return warning(check, `${says} ${fault ?? ''}`.trim(), 'It is tried again by itself.');
  return ok(check, says);
}

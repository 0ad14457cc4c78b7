import { listMailboxes, type MailboxWithProgress } from '@dmarc-ledger/ledger';
import type { Database } from '@dmarc-ledger/schema';
import { keptFor, type Metrics } from '@dmarc-ledger/runtime';
import { idText } from '@dmarc-ledger/vocabulary';

const KEPT_MS = 5_000;

/** Shows the state of each mailbox from the database, equal in every process. */
export function showMailboxes(metrics: Metrics, { db }: Database): void {
  const mailboxes = keptFor(KEPT_MS, () => listMailboxes(db));
  const show = (name: string, help: string, valueOf: (progress: MailboxWithProgress['progress']) => number | null) =>
    metrics.gaugesOf(name, help, ['mailbox'], async () =>
      (await mailboxes()).flatMap(({ id, paused_at, progress }) => {
        if (paused_at !== null) return []; // no one is to be alerted about it
        const value = valueOf(progress);
        return value === null ? [] : [{ labels: { mailbox: idText(id) }, value }];
      }),
    );
  show('mailbox_connected', '1 while the mailbox is read without errors.', ({ state }) =>
    Number(state === 'connected' || state === 'held'),
  );
  show('mailbox_stopped', '1 when the mailbox is not tried again by itself.', ({ state }) =>
    Number(state === 'stopped'),
  );
  show('mailbox_last_attempt_timestamp', 'When it was last tried.', (progress) => seconds(progress.attempted_at));
  show('mailbox_last_success_timestamp', 'When it was last read.', (progress) => seconds(progress.succeeded_at));
  show('mailbox_last_arrival_timestamp', 'When its newest mail arrived.', (progress) => seconds(progress.arrived_at));
  show('mailbox_backlog', 'Mails that are not fetched yet.', ({ backlog }) => backlog);
  show('mailbox_lag_seconds', 'Age of the oldest mail that is not fetched yet.', ({ oldest_waiting_at: oldest }) =>
    oldest ? Math.max((Date.now() - oldest.getTime()) / 1000, 0) : 0,
  );
}

function seconds(instant: Date | null): number | null {
  return instant && instant.getTime() / 1000;
}

import type { MailboxWithProgress } from '@dmarc-ledger/ledger';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import type { Row } from '../print.ts';

/** A mailbox with its status, without its secrets. */
export function mailboxJson({ progress, ...mailbox }: MailboxWithProgress) {
  const { state, fault_code, fault, messages, backlog, is_backfill, uidvalidity, checkpoint_uid } = progress;
  return {
    id: idText(mailbox.id),
    host: mailbox.host,
    port: mailbox.port,
    tls: mailbox.tls,
    user: mailbox.username,
    folder: mailbox.folder,
    auth: mailbox.auth,
    after: mailbox.after_intake,
    shared: mailbox.shared,
    authserv_ids: mailbox.authserv_ids,
    state: mailbox.paused_at === null ? state : 'paused',
    paused_at: instant(mailbox.paused_at),
    fault_code,
    fault,
    failing_since: instant(progress.failing_since),
    last_attempt_at: instant(progress.attempted_at),
    last_success_at: instant(progress.succeeded_at),
    next_attempt_at: instant(progress.retry_at),
    messages,
    backlog,
    backfill: is_backfill,
    lag_seconds: lagSeconds(progress.oldest_waiting_at),
    last_arrival_at: instant(progress.arrived_at),
    uidvalidity,
    checkpoint_uid,
  };
}

/** The same as one row. */
export function mailboxRow(mailbox: MailboxWithProgress): Row {
  const details = mailboxJson(mailbox);
  const { lag_seconds, backlog, messages, backfill } = details;
  return {
    id: details.id,
    mailbox: `${details.user} at ${details.host}`,
    port: details.port,
    folder: details.folder,
    state: details.state,
    attempt: details.last_attempt_at,
    success: details.last_success_at,
    lag: lag_seconds === null ? null : `${lag_seconds} s`,
    backlog: backfill && backlog > 0 ? `${backlog} of ${messages}` : backlog,
    fault: details.fault,
  };
}

function instant(value: Date | null): string | null {
  return value && instantText(value);
}

function lagSeconds(oldest: Date | null): number | null {
  return oldest && Math.max(Math.round((Date.now() - oldest.getTime()) / 1000), 0);
}

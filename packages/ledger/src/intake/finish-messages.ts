import type { MailFacts } from '@dmarc-ledger/dmarc';
import type { MessagePart, Session } from '@dmarc-ledger/schema';
import { finishMessages as finishStatement } from './finish-statement.ts';

/** How a delivery ended: its state, the first refusal's code, and the story of each document. */
export interface FinishedMessage {
  id: string;
  state: 'stored' | 'duplicate' | 'assigned' | 'refused' | 'quarantined';
  code: string | null;
  parts: MessagePart[];
  mailReceivedAt: Date | null;
  mailFacts: MailFacts | null;
  /** By what it was read: when a mailbox brought it meanwhile, or more of it was asked for, it is not finished. */
  mailboxId: string | null;
  onlyDomains: readonly string[] | null;
}

/** Closes deliveries, and remembers the contents that were in them. */
export async function finishMessages(
  session: Session,
  orgId: string,
  messages: readonly FinishedMessage[],
): Promise<void> {
  const payloads = new Map<string, object>();
  for (const { id, parts } of messages) {
    for (const { sha256, outcome, code, reports } of parts) {
      if (sha256 === null || outcome === 'assigned') continue;
      if (outcome === 'duplicate' && reports.length === 0) continue; // of a content that is known
      if (outcome === 'refused' && payloads.has(sha256)) continue; // of several reports in a content one is enough
      payloads.set(sha256, { sha256: `\\x${sha256}`, message_id: id, outcome, code });
    }
  }
  const rows = messages.map(({ id, state, code, parts, mailReceivedAt, mailFacts, mailboxId, onlyDomains }) => ({
    id,
    state,
    code,
    parts,
    mail_received_at: mailReceivedAt?.toISOString() ?? null,
    mail_facts: mailFacts,
    mailbox_id: mailboxId,
    only_domains: onlyDomains,
  }));
  await session.run(finishStatement, [
    orgId,
    JSON.stringify(rows),
    JSON.stringify([...payloads.values()]),
    messages.map(({ id }) => id),
  ]);
}
